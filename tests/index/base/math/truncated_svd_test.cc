#include "index/base/math/truncated_svd.h"

#include <array>
#include <cstring>
#include <random>

#include "index/base/math/orthonormal_basis.h"
#include "index/base/math/symmetric_eigen.h"
#include "simd/kernels.h"
#include "tests/index/base/math/jacobi_svd.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// Stores the non-zero entries.
SparseMatrix ToSparse(const DenseMatrix& dense) {
  SparseMatrix matrix;
  matrix.column_count = static_cast<uint32_t>(dense.columns);
  for (size_t r = 0; r < dense.rows; ++r) {
    for (size_t c = 0; c < dense.columns; ++c) {
      if (dense.at(r, c) == 0) continue;
      matrix.columns.push_back(static_cast<uint32_t>(c));
      matrix.values.push_back(static_cast<float>(dense.at(r, c)));
    }
    matrix.starts.push_back(matrix.values.size());
  }
  return matrix;
}

// `share` of the entries are non-zero; `groups` groups of similar rows make the spectrum fall.
DenseMatrix RandomMatrix(std::mt19937_64& random, size_t rows, size_t columns, double share,
                         size_t groups) {
  std::uniform_real_distribution<double> uniform(0, 1);
  DenseMatrix dense{rows, columns, std::vector<double>(rows * columns)};
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < columns; ++c) {
      const double kept = r % groups == c % groups ? 4 * share : share / 2;
      if (uniform(random) < kept) dense.at(r, c) = uniform(random) + .1;
    }
  }
  return dense;
}

DenseMatrix LowRank(std::mt19937_64& random, size_t rows, size_t columns, size_t rank) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  DenseMatrix dense{rows, columns, std::vector<double>(rows * columns)};
  for (size_t k = 0; k < rank; ++k) {
    std::vector<double> left(rows), right(columns);
    for (double& x : left) x = uniform(random);
    for (double& x : right) x = uniform(random);
    for (size_t r = 0; r < rows; ++r) {
      for (size_t c = 0; c < columns; ++c) dense.at(r, c) += left[r] * right[c];
    }
  }
  return dense;
}

// The sum of the squares of A - A V V'.
double SquaredError(const DenseMatrix& a, const TruncatedSvd& svd) {
  double error = 0;
  for (size_t r = 0; r < a.rows; ++r) {
    std::vector<double> rest(a.values.begin() + static_cast<ptrdiff_t>(r * a.columns),
                             a.values.begin() + static_cast<ptrdiff_t>((r + 1) * a.columns));
    for (uint32_t j = 0; j < svd.rank; ++j) {
      double along = 0;
      for (size_t c = 0; c < a.columns; ++c) {
        along += a.at(r, c) * double{svd.vectors[c * svd.rank + j]};
      }
      for (size_t c = 0; c < a.columns; ++c) {
        rest[c] -= along * double{svd.vectors[c * svd.rank + j]};
      }
    }
    for (const double x : rest) error += x * x;
  }
  return error;
}

// Columns with a singular value are orthonormal, and their largest component is positive; the other
// columns are zero.
void ExpectSingularVectors(const TruncatedSvd& svd, size_t columns) {
  ASSERT_EQ(svd.values.size(), svd.rank);
  ASSERT_EQ(svd.vectors.size(), columns * svd.rank);
  for (uint32_t i = 0; i < svd.rank; ++i) {
    if (i > 0) {
      EXPECT_LE(svd.values[i], svd.values[i - 1]);
    }
    for (uint32_t j = 0; j <= i; ++j) {
      double dot = 0;
      float largest = 0;
      for (size_t c = 0; c < columns; ++c) {
        const float x = svd.vectors[c * svd.rank + i];
        dot += double{x} * double{svd.vectors[c * svd.rank + j]};
        if (std::fabs(x) > std::fabs(largest)) largest = x;
      }
      const double expected = i == j && svd.values[i] > 0 ? 1 : 0;
      EXPECT_NEAR(dot, expected, 2e-4) << "columns " << i << " and " << j;
      EXPECT_GE(largest, 0) << "column " << i;
    }
  }
}

// Compares with the oracle. The randomised method is less exact for small singular values.
void ExpectLikeJacobi(const DenseMatrix& dense, SvdOptions options) {
  ASSERT_OK_AND_ASSIGN(const TruncatedSvd svd, ComputeTruncatedSvd(ToSparse(dense), options));
  ExpectSingularVectors(svd, dense.columns);
  const JacobiSvd oracle = ComputeJacobiSvd(dense);
  ASSERT_EQ(svd.rank, std::min<size_t>({options.rank, dense.rows, dense.columns}));
  double best_error = 0;
  for (size_t j = svd.rank; j < oracle.values.size(); ++j) {
    best_error += oracle.values[j] * oracle.values[j];
  }
  const double first = oracle.values.empty() ? 0 : oracle.values[0];
  for (uint32_t j = 0; j < svd.rank; ++j) {
    EXPECT_NEAR(svd.values[j], oracle.values[j], 2e-3 * first) << "value " << j;
    if (svd.rank > 3 && j < 3) {
      EXPECT_NEAR(svd.values[j], oracle.values[j], 1e-4 * first);
    }
  }
  EXPECT_LE(SquaredError(dense, svd), best_error * 1.01 + 1e-5 * first * first);
}

class TruncatedSvdTest : public ::testing::Test {
 protected:
  std::mt19937_64 random_{TestSeed(20261121)};
};

TEST_F(TruncatedSvdTest, EigenvaluesAndVectorsSatisfyTheirEquation) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const size_t n : {0, 1, 2, 3, 17, 60}) {
    std::vector<double> a(n * n);
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j <= i; ++j) a[i * n + j] = a[j * n + i] = uniform(random_);
    }
    const SymmetricEigen eigen = ComputeSymmetricEigen(a, n);
    ASSERT_EQ(eigen.values.size(), n);
    for (size_t j = 0; j < n; ++j) {
      if (j > 0) {
        EXPECT_LE(eigen.values[j], eigen.values[j - 1]);
      }
      const double* v = eigen.vectors.data() + j * n;
      double square = 0;
      for (size_t r = 0; r < n; ++r) {
        double sum = 0;
        for (size_t c = 0; c < n; ++c) sum += a[r * n + c] * v[c];
        EXPECT_NEAR(sum, eigen.values[j] * v[r], 1e-12 * static_cast<double>(n));
        square += v[r] * v[r];
      }
      EXPECT_NEAR(square, 1, 1e-12);
    }
  }
}

TEST_F(TruncatedSvdTest, EigenvaluesOfSpecialMatrices) {
  const std::vector<double> zero(16, 0.0);
  EXPECT_EQ(ComputeSymmetricEigen(zero, 4).values, std::vector<double>(4, 0.0));
  const std::vector<double> ones(25, 1.0);
  const SymmetricEigen eigen = ComputeSymmetricEigen(ones, 5);
  EXPECT_NEAR(eigen.values[0], 5, 1e-14);
  for (size_t j = 1; j < 5; ++j) EXPECT_NEAR(eigen.values[j], 0, 1e-14);
  const std::vector<double> diagonal = {1, 0, 0, 0, 3, 0, 0, 0, 2};
  EXPECT_EQ(ComputeSymmetricEigen(diagonal, 3).values, (std::vector<double>{3, 2, 1}));
}

TEST_F(TruncatedSvdTest, SmallMatricesAreDecomposedExactly) {
  for (const auto& [rows, columns] :
       {std::pair<size_t, size_t>{1, 1}, {1, 7}, {7, 1}, {12, 20}, {20, 12}, {30, 30}}) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
    const DenseMatrix dense = RandomMatrix(random_, rows, columns, .2, 4);
    ExpectLikeJacobi(dense, {.rank = 8});
    ExpectLikeJacobi(dense, {.rank = 100});
  }
}

TEST_F(TruncatedSvdTest, SampledMatricesComeNearTheOptimum) {
  for (const auto& [rows, columns] : {std::pair<size_t, size_t>{150, 110}, {110, 150}}) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
    ExpectLikeJacobi(RandomMatrix(random_, rows, columns, .1, 9), {.rank = 12});
    ExpectLikeJacobi(RandomMatrix(random_, rows, columns, .02, 2), {.rank = 12, .seed = 77});
  }
}

TEST_F(TruncatedSvdTest, ASteepSpectrumIsKept) {
  // Singular values from 1 down by a factor of 1.3: more than three orders of magnitude.
  const size_t n = 120;
  DenseMatrix dense{n, n, std::vector<double>(n * n)};
  double value = 1;
  for (size_t i = 0; i < n; ++i, value /= 1.3) dense.at(i, (i * 7 + 3) % n) = value;
  ASSERT_OK_AND_ASSIGN(const TruncatedSvd svd, ComputeTruncatedSvd(ToSparse(dense), {.rank = 20}));
  ExpectSingularVectors(svd, n);
  value = 1;
  for (size_t j = 0; j < 20; ++j, value /= 1.3) EXPECT_NEAR(svd.values[j], value, 1e-4 * value);
}

TEST_F(TruncatedSvdTest, ASmallerRankLeavesZeros) {
  for (const auto& [rows, columns] : {std::pair<size_t, size_t>{200, 90}, {90, 200}}) {
    const DenseMatrix dense = LowRank(random_, rows, columns, 5);
    ExpectLikeJacobi(dense, {.rank = 16});
    ASSERT_OK_AND_ASSIGN(const TruncatedSvd svd,
                         ComputeTruncatedSvd(ToSparse(dense), {.rank = 16}));
    for (uint32_t j = 0; j < 16; ++j) EXPECT_EQ(svd.values[j] > 0, j < 5) << "value " << j;
  }
}

TEST_F(TruncatedSvdTest, EqualRowsEmptyRowsAndEmptyColumns) {
  DenseMatrix equal{80, 70, std::vector<double>(80 * 70)};
  for (size_t r = 0; r < 80; ++r) {
    for (size_t c = 0; c < 70; ++c) equal.at(r, c) = .1 * static_cast<double>(c % 7);
  }
  ExpectLikeJacobi(equal, {.rank = 8});
  DenseMatrix gaps = RandomMatrix(random_, 90, 80, .2, 5);
  for (size_t r = 0; r < 90; ++r) {
    for (size_t c = 0; c < 80; ++c) {
      if (r % 3 == 0 || c % 4 == 0) gaps.at(r, c) = 0;
    }
  }
  ExpectLikeJacobi(gaps, {.rank = 10});
  ExpectLikeJacobi(DenseMatrix{60, 70, std::vector<double>(60 * 70)}, {.rank = 8});
}

TEST_F(TruncatedSvdTest, NothingHasNoRank) {
  SparseMatrix nothing;
  ASSERT_OK_AND_ASSIGN(TruncatedSvd svd, ComputeTruncatedSvd(nothing, {}));
  EXPECT_EQ(svd.rank, 0u);
  nothing.column_count = 5;
  ASSERT_OK_AND_ASSIGN(svd, ComputeTruncatedSvd(nothing, {}));
  EXPECT_EQ(svd.rank, 0u);
  nothing.starts.push_back(0);
  ASSERT_OK_AND_ASSIGN(svd, ComputeTruncatedSvd(nothing, {}));
  EXPECT_EQ(svd.rank, 1u);
  EXPECT_EQ(svd.values[0], 0);
  EXPECT_EQ(svd.vectors, std::vector<float>(5, 0.0f));
}

TEST_F(TruncatedSvdTest, ThreadsAndTargetsGiveTheSameBits) {
  const SparseMatrix matrix = ToSparse(RandomMatrix(random_, 700, 500, .05, 11));
  const SparseMatrix low = ToSparse(LowRank(random_, 300, 400, 6));
  for (const SparseMatrix* m : {&matrix, &low}) {
    ASSERT_OK_AND_ASSIGN(const TruncatedSvd first, ComputeTruncatedSvd(*m, {.rank = 40}));
    const auto expect_same = [&](const TruncatedSvd& svd) {
      ASSERT_EQ(svd.values, first.values);
      ASSERT_EQ(std::memcmp(svd.vectors.data(), first.vectors.data(),
                            first.vectors.size() * sizeof(float)),
                0);
    };
    for (const uint32_t threads : {2, 3, 16}) {
      SCOPED_TRACE(threads);
      ASSERT_OK_AND_ASSIGN(const TruncatedSvd svd,
                           ComputeTruncatedSvd(*m, {.rank = 40, .threads = threads}));
      expect_same(svd);
    }
    for (const std::string& target : SupportedSimdTargets()) {
      SCOPED_TRACE(target);
      ASSERT_TRUE(ForceSimdTarget(target));
      const Result<TruncatedSvd> svd = ComputeTruncatedSvd(*m, {.rank = 40, .threads = 2});
      ForceSimdTarget("");
      ASSERT_TRUE(svd.has_value()) << svd.error().ToString();
      expect_same(*svd);
    }
  }
}

TEST_F(TruncatedSvdTest, TheSeedMattersOnlyALittle) {
  const SparseMatrix matrix = ToSparse(RandomMatrix(random_, 300, 200, .05, 11));
  ASSERT_OK_AND_ASSIGN(const TruncatedSvd a, ComputeTruncatedSvd(matrix, {.rank = 10, .seed = 1}));
  ASSERT_OK_AND_ASSIGN(const TruncatedSvd b, ComputeTruncatedSvd(matrix, {.rank = 10, .seed = 2}));
  EXPECT_NE(a.vectors, b.vectors);
  for (size_t j = 0; j < 10; ++j) EXPECT_NEAR(a.values[j], b.values[j], .005 * a.values[0]);
}

TEST_F(TruncatedSvdTest, Cancels) {
  const std::atomic<bool> cancel{true};
  const Result<TruncatedSvd> svd = ComputeTruncatedSvd(
      ToSparse(RandomMatrix(random_, 200, 100, .1, 3)), {.rank = 8, .cancel = &cancel});
  ASSERT_FALSE(svd.has_value());
  EXPECT_EQ(svd.error().code(), StatusCode::kCancelled);
}

TEST_F(TruncatedSvdTest, BasisIsOrthonormalWhateverItWas) {
  TallMatrix x{300, 48, std::vector<float>(300 * 48)};
  FillWithSigns(3, 0, &x);
  for (size_t r = 0; r < x.rows; ++r) {
    x.row(r)[5] = x.row(r)[4];                                  // duplicate
    x.row(r)[7] = 0;                                            // zero
    x.row(r)[9] = 1e-12f * x.row(r)[8] + 1e-15f * x.row(r)[1];  // tiny and dependent
    x.row(r)[11] = 1e6f * x.row(r)[12] + x.row(r)[11];          // nearly dependent
  }
  ASSERT_OK(Orthonormalise(Orthonormality::kExact, 1, {}, &x));
  ASSERT_OK_AND_ASSIGN(const std::vector<double> gram, ComputeGram(x, {}));
  for (size_t i = 0; i < 48; ++i) {
    for (size_t j = 0; j < 48; ++j) EXPECT_NEAR(gram[i * 48 + j], i == j, 2e-6);
  }
}

TEST(FactoredSvdTest, OfAProductIsThatOfTheProductWrittenOut) {
  std::mt19937_64 random(TestSeed(31));
  for (const auto& [rows, between, columns] :
       {std::array<size_t, 3>{60, 90, 140}, std::array<size_t, 3>{150, 80, 70}}) {
    const DenseMatrix left = RandomMatrix(random, rows, between, .1, 5);
    const DenseMatrix right = RandomMatrix(random, between, columns, .1, 5);
    DenseMatrix product{rows, columns, std::vector<double>(rows * columns)};
    for (size_t r = 0; r < rows; ++r) {
      for (size_t k = 0; k < between; ++k) {
        for (size_t c = 0; c < columns; ++c) product.at(r, c) += left.at(r, k) * right.at(k, c);
      }
    }
    SvdOptions options;
    options.rank = 8;
    ASSERT_OK_AND_ASSIGN(const TruncatedSvd whole, ComputeTruncatedSvd(ToSparse(product), options));
    ASSERT_OK_AND_ASSIGN(const TruncatedSvd factors,
                         ComputeTruncatedSvd(ToSparse(left), ToSparse(right), options));
    ASSERT_EQ(factors.rank, whole.rank);
    for (uint32_t j = 0; j < whole.rank; ++j) {
      EXPECT_NEAR(factors.values[j], whole.values[j], 1e-3 * whole.values[0]);
    }
    EXPECT_NEAR(SquaredError(product, factors), SquaredError(product, whole),
                1e-3 * SquaredError(product, whole));
    options.threads = 4;
    ASSERT_OK_AND_ASSIGN(const TruncatedSvd threads,
                         ComputeTruncatedSvd(ToSparse(left), ToSparse(right), options));
    EXPECT_EQ(threads.vectors, factors.vectors);
  }
}

}  // namespace
}  // namespace recall
