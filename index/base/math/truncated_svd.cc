#include "index/base/math/truncated_svd.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "index/base/math/orthonormal_basis.h"
#include "index/base/math/symmetric_eigen.h"
#include "simd/kernels.h"
#include "storage/base/checked_math.h"
#include "storage/base/fixed_tasks.h"

namespace recall {
namespace {

// Truncated singular value decomposition of a large sparse matrix A, for latent semantic analysis.
//
//   FindSubspace   x: random signs, short side x width         width = rank + oversampling
//     repeat       y = A x, x = A' y                           sparse products, by threads
//                  x <- orthonormal basis of x                 orthonormal_basis.cc
//   image          y = A x                                     long side x width
//   Gram matrix    y'y = V D V'                                symmetric_eigen.cc, width x width
//   result         values sqrt(D); right singular vectors x V or y V D^-1/2
//
// Problem: the matrix has tens of thousands of rows and columns and millions of entries; a full
// decomposition is far too expensive, and only some hundred directions are wanted.
//
// Idea: A'A applied to random vectors amplifies the directions of large singular values. `width`
// vectors together span nearly the wanted subspace after a few iterations; the 20 extra ones absorb
// the directions just below the cut. Iterating on the shorter side keeps x small.
//
// A product of two sparse matrices is applied one after the other, so it costs the entries of both,
// and some columns at a time, so that what is between them needs little memory.
//
// Precision: two products square the ratio of singular values. x is orthonormalised after each A'A;
// if its columns became dependent in floats, y is orthonormalised from then on too.
//
// Invariants: random signs come from the seed, each row of a product is one sum in the order of its
// entries, and sums over rows have a fixed division (orthonormal_basis.cc): the same bits for every
// number of threads. FixSigns resolves the arbitrary sign of a singular vector.
//
// Cost: (2 iterations + 3) x entries x width multiplications, and O((rows + columns) width^2) for
// the bases. Source: Halko, Martinsson and Tropp, 2011, algorithms 4.4 and 5.1.

constexpr size_t kLaneMultiple = 16;

TallMatrix MakeTall(size_t rows, size_t columns) {
  return {rows, columns, std::vector<float>(rows * columns)};
}

// Some consecutive columns of a dense matrix.
struct Panel {
  const float* values;
  size_t stride;
  size_t columns;
};

// out <- matrix * x. Each row of the result is one sum in a fixed order. `out`: rows of `stride`.
Status MultiplySparse(const SparseMatrix& matrix, const Panel& x, const DenseWork& work, float* out,
                      size_t stride) {
  constexpr size_t kRows = 64;
  const size_t blocks = DivideRoundUp(matrix.row_count(), kRows);
  const bool done = RunFixedTasks(work.threads, blocks, work.cancel, [&](size_t block) {
    const size_t end = std::min<size_t>(matrix.row_count(), (block + 1) * kRows);
    for (size_t r = block * kRows; r < end; ++r) {
      const uint64_t first = matrix.starts[r];
      SumScaledRowsF32(matrix.values.data() + first, matrix.columns.data() + first,
                       matrix.starts[r + 1] - first, x.values, x.stride, x.columns,
                       out + r * stride);
    }
  });
  return done ? Status::Ok() : LsaCancelled();
}

// A product of one or two matrices; the second one, if there is one, is applied first.
struct SparseProduct {
  const SparseMatrix& outer;
  const SparseMatrix* inner = nullptr;

  uint32_t row_count() const { return outer.row_count(); }
  // Two products are made for some columns after the other, so that what is between them takes a
  // third of the memory of an operand.
  Status Multiply(const TallMatrix& x, const DenseWork& work, TallMatrix* out) const {
    const size_t columns = x.columns;
    const Panel all{x.values.data(), columns, columns};
    if (inner == nullptr) return MultiplySparse(outer, all, work, out->values.data(), columns);
    constexpr size_t kPanel = 96;
    std::vector<float> between(size_t{inner->row_count()} * std::min(kPanel, columns));
    for (size_t first = 0; first < columns; first += kPanel) {
      const size_t width = std::min(kPanel, columns - first);
      RECALL_TRY(MultiplySparse(*inner, {all.values + first, columns, width}, work, between.data(),
                                width));
      RECALL_TRY(MultiplySparse(outer, {between.data(), width, width}, work,
                                out->values.data() + first, columns));
    }
    return Status::Ok();
  }
};

// An orthonormal basis that nearly spans the largest singular vectors on the short side.
Result<TallMatrix> FindSubspace(const SparseProduct& to_long, const SparseProduct& to_short,
                                size_t width, const SvdOptions& options, const DenseWork& work) {
  TallMatrix x = MakeTall(to_short.row_count(), width);
  if (x.rows <= width) {
    for (size_t i = 0; i < x.rows; ++i) x.row(i)[i] = 1;
    return x;
  }
  TallMatrix y = MakeTall(to_long.row_count(), width);
  FillWithSigns(options.seed, 0, &x);
  bool flat = true;
  for (uint32_t i = 0; i <= options.iterations; ++i) {
    RECALL_TRY(to_long.Multiply(x, work, &y));
    // Two products square the ratio of singular values. If floats cannot represent that, each
    // product is orthonormalised, as in algorithm 4.4; text hardly ever needs it.
    if (!flat) RECALL_TRY(Orthonormalise(Orthonormality::kStable, ~options.seed, work, &y));
    RECALL_TRY(to_short.Multiply(y, work, &x));
    const bool last = i == options.iterations;
    RECALL_ASSIGN(const bool independent,
                  Orthonormalise(last ? Orthonormality::kExact : Orthonormality::kStable,
                                 options.seed + 1 + i, work, &x));
    flat = flat && independent;
  }
  return x;
}

// Makes the component of largest magnitude of each column positive; of several, the first. By rows,
// because a column touches a cache line for each of its elements.
void FixSigns(uint32_t rank, std::vector<float>* vectors) {
  std::vector<float> largest(rank);
  for (size_t row = 0; row < vectors->size(); row += rank) {
    const float* const values = vectors->data() + row;
    for (uint32_t j = 0; j < rank; ++j) {
      largest[j] = std::fabs(values[j]) > std::fabs(largest[j]) ? values[j] : largest[j];
    }
  }
  std::vector<float> signs(rank);
  for (uint32_t j = 0; j < rank; ++j) signs[j] = largest[j] >= 0 ? 1.0f : -1.0f;
  for (size_t row = 0; row < vectors->size(); row += rank) {
    float* const values = vectors->data() + row;
    for (uint32_t j = 0; j < rank; ++j) values[j] *= signs[j];
  }
}

// The singular values, and the factor that maps the basis to singular vectors.
struct Rotation {
  std::vector<double> values;
  std::vector<float> factor;  // width x width by rows; columns after the rank are zero
};

// `gram`: the Gram matrix of the matrix times the basis. `divide`: divide by the singular values,
// for a basis of the other side.
Rotation RotationOf(const std::vector<double>& gram, size_t width, uint32_t rank, bool divide) {
  // Squares of singular values below this fraction of the largest are rounding errors of floats.
  constexpr double kNoise = 1e-6;
  const SymmetricEigen eigen = ComputeSymmetricEigen(gram, width);
  Rotation rotation{std::vector<double>(rank), std::vector<float>(width * width)};
  for (uint32_t j = 0; j < rank; ++j) {
    if (!(eigen.values[j] > kNoise * eigen.values[0]) || !(eigen.values[0] > 0)) break;
    rotation.values[j] = std::sqrt(eigen.values[j]);
    const double scale = divide ? 1 / rotation.values[j] : 1;
    for (size_t i = 0; i < width; ++i) {
      rotation.factor[i * width + j] = static_cast<float>(eigen.vectors[j * width + i] * scale);
    }
  }
  return rotation;
}

// `rows`: the matrix; `columns`: its transpose.
Result<TruncatedSvd> Decompose(const SparseProduct& rows, const SparseProduct& columns,
                               const SvdOptions& options) {
  const DenseWork work{options.threads, options.cancel};
  TruncatedSvd svd;
  svd.rank = std::min({options.rank, rows.row_count(), columns.row_count()});
  if (svd.rank == 0) return svd;
  const bool rows_are_short = rows.row_count() < columns.row_count();
  const SparseProduct& to_long = rows_are_short ? columns : rows;
  const SparseProduct& to_short = rows_are_short ? rows : columns;
  const size_t width = RoundUp(svd.rank + options.oversampling, kLaneMultiple);

  RECALL_ASSIGN(TallMatrix basis, FindSubspace(to_long, to_short, width, options, work));
  TallMatrix image = MakeTall(to_long.row_count(), width);
  RECALL_TRY(to_long.Multiply(basis, work, &image));
  RECALL_ASSIGN(const std::vector<double> gram, ComputeGram(image, work));
  Rotation rotation = RotationOf(gram, width, svd.rank, rows_are_short);
  TallMatrix right = std::move(rows_are_short ? image : basis);
  (rows_are_short ? basis : image) = {};
  RECALL_TRY(MultiplyFromRight(rotation.factor, work, &right));

  svd.values = std::move(rotation.values);
  // The columns beyond the rank are left out in place, because a copy would need as much memory.
  for (size_t r = 1; r < right.rows; ++r) {
    std::copy_n(right.row(r), svd.rank, right.values.data() + r * svd.rank);
  }
  right.values.resize(right.rows * svd.rank);
  svd.vectors = std::move(right.values);
  FixSigns(svd.rank, &svd.vectors);
  return svd;
}

}  // namespace

Result<TruncatedSvd> ComputeTruncatedSvd(const SparseMatrix& matrix, const SvdOptions& options) {
  const SparseMatrix transposed = Transpose(matrix);
  return Decompose({matrix}, {transposed}, options);
}

Result<TruncatedSvd> ComputeTruncatedSvd(const SparseMatrix& left, const SparseMatrix& right,
                                         const SvdOptions& options) {
  const SparseMatrix left_transposed = Transpose(left);
  const SparseMatrix right_transposed = Transpose(right);
  return Decompose({left, &right}, {right_transposed, &left_transposed}, options);
}

}  // namespace recall
