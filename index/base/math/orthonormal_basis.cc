#include "index/base/math/orthonormal_basis.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "index/base/math/symmetric_eigen.h"
#include "simd/kernels.h"
#include "storage/base/check.h"
#include "storage/base/checked_math.h"
#include "storage/base/fixed_tasks.h"

namespace recall {
namespace {

// Orthonormalises the columns of a tall matrix X of n columns, for the SVD of texts.
//
//   G = X'X, scaled to a unit diagonal
//   Cholesky G = R'R      smallest pivot >= 1e-3:  X <- X R^-1           (CholeskyQR)
//                         pivot >= 0.5, or kStable is enough: done; else once more (CholeskyQR2)
//                         pivot below 1e-3:  X <- X V D^-1/2 of the eigenvectors of G,
//                                            random signs in the columns left over, once more
//
// Problem: Householder QR works column by column and needs a synchronisation for each; for 300
// columns and a million rows that is memory-bound and sequential.
//
// Idea: X'X and X R^-1 are matrix products that read X once each, by blocks of rows that fit a
// cache and that threads take in parallel. X'X squares the condition number, so one pass loses half
// of the digits; a second pass on nearly orthonormal columns restores them.
//
// Scaling the diagonal to 1 makes the pivots independent of the lengths of the columns: a pivot is
// the part of a column that the columns before it do not explain.
//
// Invariants: the sums of X'X are made in kGramSlices slices, float within 128 rows and double
// beyond, and the slices are added in order; so the result is the same for every number of threads.
//
// Cost: about 2 rows n^2 operations for each pass, at most kMostPasses passes, usually one or two.
// Sources: Yamamoto et al., 2015; Stathopoulos and Wu, 2002.

constexpr size_t kGramRows = 128;   // rows summed in float; a block of 288 columns fills a cache
constexpr size_t kGramSlices = 16;  // each with its own sum: more would cost memory
constexpr size_t kStrip = 32;       // columns of a product that are computed at once
constexpr size_t kBlockRows = 64;

// Adds the upper triangle of X'X of these `count` rows to `sum`.
void AddGram(const float* rows, size_t count, size_t columns, std::vector<float>* block,
             std::vector<double>* sum) {
  for (size_t i = 0; i < columns; i += kStrip) {
    const size_t height = std::min(kStrip, columns - i);
    const size_t width = columns - i;
    MultiplyF32(rows + i, 1, columns, rows + i, columns, height, count, width, block->data(),
                width);
    for (size_t r = 0; r < height; ++r) {
      const float* from = block->data() + r * width;
      double* to = sum->data() + (i + r) * columns + i;
      for (size_t j = 0; j < width; ++j) to[j] += double{from[j]};
    }
  }
}

// A Gram matrix scaled to a unit diagonal, so that the lengths of columns do not affect the test
// for dependence.
struct ScaledGram {
  std::vector<double> matrix;
  std::vector<double> scales;  // 1 / length; 0 for a column of zeros
};

ScaledGram ScaleGram(std::vector<double> gram, size_t n) {
  ScaledGram scaled{std::move(gram), std::vector<double>(n)};
  for (size_t i = 0; i < n; ++i) {
    const double square = scaled.matrix[i * n + i];
    scaled.scales[i] = square > 0 ? 1 / std::sqrt(square) : 0;
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      scaled.matrix[i * n + j] *= scaled.scales[i] * scaled.scales[j];
    }
  }
  return scaled;
}

// Computes the Cholesky factor R of a matrix R'R with unit diagonal, upper triangular, by rows.
// Returns: the smallest pivot, at most 1. If it is below `least`, the factor is incomplete.
double Factorise(const std::vector<double>& matrix, size_t n, double least,
                 std::vector<double>* r) {
  *r = matrix;
  double smallest = 1;
  for (size_t k = 0; k < n; ++k) {
    double* row = r->data() + k * n;
    smallest = std::min(smallest, row[k]);
    if (!(row[k] >= least)) return std::min(smallest, row[k] >= 0 ? row[k] : 0.0);
    const double root = std::sqrt(row[k]);
    for (size_t j = k; j < n; ++j) row[j] /= root;
    for (size_t i = k + 1; i < n; ++i) {
      const double factor = row[i];
      double* below = r->data() + i * n;
      for (size_t j = i; j < n; ++j) below[j] -= factor * row[j];
    }
  }
  return smallest;
}

// scales * R^-1, the factor that makes the columns orthonormal.
std::vector<float> InverseFactor(const std::vector<double>& r, const std::vector<double>& scales,
                                 size_t n) {
  std::vector<double> inverse(n * n, 0.0);
  for (size_t i = n; i-- > 0;) {
    double* row = inverse.data() + i * n;
    row[i] = 1;
    for (size_t k = i + 1; k < n; ++k) {
      const double factor = r[i * n + k];
      const double* later = inverse.data() + k * n;
      for (size_t j = k; j < n; ++j) row[j] -= factor * later[j];
    }
    const double pivot = r[i * n + i];
    for (size_t j = i; j < n; ++j) row[j] /= pivot;
  }
  std::vector<float> factor(n * n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i; j < n; ++j) {
      factor[i * n + j] = static_cast<float>(scales[i] * inverse[i * n + j]);
    }
  }
  return factor;
}

// The factor that maps the columns to their independent directions, the largest first, followed by
// zeros. Returns: the number of independent directions.
size_t IndependentFactor(const ScaledGram& gram, size_t n, std::vector<float>* factor) {
  constexpr double kLeast = 1.0 / (1 << 18);
  const SymmetricEigen eigen = ComputeSymmetricEigen(gram.matrix, n);
  factor->assign(n * n, 0.0f);
  size_t kept = 0;
  for (; kept < n && eigen.values[kept] > kLeast * eigen.values[0]; ++kept) {
    const double length = std::sqrt(eigen.values[kept]);
    const double* vector = eigen.vectors.data() + kept * n;
    for (size_t i = 0; i < n; ++i) {
      (*factor)[i * n + kept] = static_cast<float>(gram.scales[i] * vector[i] / length);
    }
  }
  return kept;
}

uint64_t SplitMix(uint64_t value) {
  // The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

}  // namespace

Status LsaCancelled() { return Status::Cancelled("the training of the model was interrupted"); }

Result<std::vector<double>> ComputeGram(const TallMatrix& x, const DenseWork& work) {
  const size_t n = x.columns;
  const size_t slice = RoundUp(DivideRoundUp(x.rows, kGramSlices), kGramRows);
  const size_t slices = slice == 0 ? 0 : DivideRoundUp(x.rows, slice);
  std::vector<std::vector<double>> sums(slices);
  const bool done = RunFixedTasks(work.threads, slices, work.cancel, [&](size_t s) {
    std::vector<float> block(kStrip * n);
    sums[s].assign(n * n, 0.0);
    const size_t end = std::min(x.rows, (s + 1) * slice);
    for (size_t r = s * slice; r < end; r += kGramRows) {
      AddGram(x.row(r), std::min(kGramRows, end - r), n, &block, &sums[s]);
    }
  });
  if (!done) return Fail(LsaCancelled());
  std::vector<double> gram(n * n, 0.0);
  for (const std::vector<double>& sum : sums) {
    for (size_t i = 0; i < gram.size(); ++i) gram[i] += sum[i];
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < i; ++j) gram[i * n + j] = gram[j * n + i];
  }
  return gram;
}

Status MultiplyFromRight(const std::vector<float>& factor, const DenseWork& work, TallMatrix* x) {
  const size_t n = x->columns;
  RECALL_CHECK(factor.size() == n * n);
  // The columns of an upper triangular factor have zeros below the diagonal; skipping them saves
  // half of the work.
  std::vector<size_t> heights;
  for (size_t j = 0; j < n; j += kStrip) {
    size_t height = n;
    const size_t width = std::min(kStrip, n - j);
    const auto is_zero = [&](size_t row) {
      const float* from = factor.data() + row * n + j;
      return std::all_of(from, from + width, [](float value) { return value == 0; });
    };
    while (height > 0 && is_zero(height - 1)) --height;
    heights.push_back(height);
  }
  const size_t blocks = DivideRoundUp(x->rows, kBlockRows);
  const bool done = RunFixedTasks(work.threads, blocks, work.cancel, [&](size_t block) {
    const size_t first = block * kBlockRows;
    const size_t rows = std::min(kBlockRows, x->rows - first);
    std::vector<float> product(rows * n);
    for (size_t j = 0; j < n; j += kStrip) {
      MultiplyF32(x->row(first), n, 1, factor.data() + j, n, rows, heights[j / kStrip],
                  std::min(kStrip, n - j), product.data() + j, n);
    }
    std::memcpy(x->row(first), product.data(), product.size() * sizeof(float));
  });
  return done ? Status::Ok() : LsaCancelled();
}

void FillWithSigns(uint64_t seed, size_t first_column, TallMatrix* x) {
  for (size_t r = 0; r < x->rows; ++r) {
    float* row = x->row(r);
    for (size_t j = first_column; j < x->columns; ++j) {
      const uint64_t place = uint64_t{r} * x->columns + j + 1;
      row[j] = SplitMix(seed + place * 0x9e3779b97f4a7c15) >> 63 != 0 ? 1.0f : -1.0f;
    }
  }
}

Result<bool> Orthonormalise(Orthonormality quality, uint64_t seed, const DenseWork& work,
                            TallMatrix* x) {
  RECALL_CHECK(x->rows >= x->columns);
  constexpr int kMostPasses = 8;
  // The least pivot of independent columns: squares of floats have an error of about 1e-6.
  constexpr double kIndependent = 1e-3;
  constexpr double kNearlyThere = .5;  // from this pivot on no further pass is needed
  const size_t n = x->columns;
  std::vector<double> r;
  std::vector<float> factor;
  bool cut = false;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    RECALL_ASSIGN(std::vector<double> sums, ComputeGram(*x, work));
    const ScaledGram gram = ScaleGram(std::move(sums), n);
    const double pivot = Factorise(gram.matrix, n, kIndependent, &r);
    if (pivot >= kIndependent) {
      RECALL_TRY(MultiplyFromRight(InverseFactor(r, gram.scales, n), work, x));
      if (quality == Orthonormality::kStable || pivot >= kNearlyThere) return !cut;
      continue;
    }
    cut = true;
    const size_t kept = IndependentFactor(gram, n, &factor);
    RECALL_TRY(MultiplyFromRight(factor, work, x));
    FillWithSigns(seed + static_cast<uint64_t>(pass) + 1, kept, x);
  }
  return !cut;
}

}  // namespace recall
