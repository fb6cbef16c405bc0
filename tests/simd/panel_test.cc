#include <bit>
#include <cstring>

#include "tests/simd/simd_test_util.h"

namespace recall {
namespace {

using PanelTest = EveryTarget;
RECALL_ON_EVERY_TARGET(PanelTest);

bool SameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST_P(PanelTest, AddScaledHasTheBitsOfTheLoop) {
  for (const size_t n : Lengths()) {
    const std::vector<float> x = RandomFloats(random_, n + 1);
    const std::vector<float> start = RandomFloats(random_, n + 1);
    const float a = RandomFloats(random_, 1)[0];
    std::vector<float> expected = start;
    for (size_t i = 0; i < n; ++i) {
      const float product = a * x[i + 1];
      expected[i] += product;
    }
    std::vector<float> actual = start;
    AddScaledF32(actual.data(), a, x.data() + 1, n);
    ASSERT_TRUE(SameBits(actual, expected)) << "n " << n;
  }
}

TEST_P(PanelTest, FourBitsAreSignedAndTwoToAByte) {
  for (const size_t half : Lengths()) {
    const auto values = RandomIntegers<int8_t>(random_, 2 * half, -8, 7);
    std::vector<uint8_t> packed(half);
    for (size_t i = 0; i < half; ++i) {
      packed[i] = static_cast<uint8_t>((values[i] & 15) | (values[half + i] & 15) << 4);
    }
    const std::vector<float> start = RandomFloats(random_, 2 * half + 1);
    const float a = RandomFloats(random_, 1)[0];
    std::vector<float> expected = start;
    for (size_t i = 0; i < 2 * half; ++i) {
      const float product = a * static_cast<float>(values[i]);
      expected[i] += product;
    }
    std::vector<float> actual = start;
    AddScaledI4(actual.data(), a, packed.data(), half);
    ASSERT_TRUE(SameBits(actual, expected)) << "half " << half;
  }
}

TEST_P(PanelTest, SparseRowsAreSummedInTheirOrder) {
  constexpr size_t kRows = 40;
  for (const size_t n : {1, 3, 8, 15, 16, 31, 32, 64, 100, 127, 128, 129, 288, 333}) {
    const size_t stride = n + 3;
    const std::vector<float> x = RandomFloats(random_, kRows * stride);
    for (const size_t count : {0, 1, 2, 57}) {
      const std::vector<float> values = RandomFloats(random_, count);
      std::vector<uint32_t> rows(count);
      for (uint32_t& row : rows) row = static_cast<uint32_t>(random_() % kRows);
      std::vector<float> expected(n + 1, 0.0f);
      expected[n] = 7;
      for (size_t t = 0; t < count; ++t) {
        for (size_t j = 0; j < n; ++j) {
          const float product = values[t] * x[rows[t] * stride + j];
          expected[j] += product;
        }
      }
      std::vector<float> actual(n + 1, 7.0f);
      SumScaledRowsF32(values.data(), rows.data(), count, x.data(), stride, n, actual.data());
      ASSERT_TRUE(SameBits(actual, expected)) << "n " << n << " count " << count;
    }
  }
}

// a(r, t) is at a[r * a_row + t * a_inner].
std::vector<float> PlainProduct(const float* a, size_t a_row, size_t a_inner, const float* b,
                                size_t b_stride, size_t rows, size_t inner, size_t columns) {
  std::vector<float> c(rows * columns, 0.0f);
  for (size_t t = 0; t < inner; ++t) {
    for (size_t r = 0; r < rows; ++r) {
      for (size_t j = 0; j < columns; ++j) {
        const float product = a[r * a_row + t * a_inner] * b[t * b_stride + j];
        c[r * columns + j] += product;
      }
    }
  }
  return c;
}

TEST_P(PanelTest, ProductsHaveTheBitsOfTheThreeLoops) {
  for (const size_t rows : {1, 3, 4, 5, 13}) {
    for (const size_t inner : {0, 1, 7, 128}) {
      for (const size_t columns : {1, 2, 7, 8, 16, 17, 31, 32, 33, 64, 71}) {
        const std::vector<float> a = RandomFloats(random_, rows * inner + 1);
        const std::vector<float> b = RandomFloats(random_, inner * (columns + 2) + 1);
        std::vector<float> c(rows * columns, 7.0f);
        MultiplyF32(a.data(), inner, 1, b.data(), columns + 2, rows, inner, columns, c.data(),
                    columns);
        ASSERT_TRUE(SameBits(
            c, PlainProduct(a.data(), inner, 1, b.data(), columns + 2, rows, inner, columns)))
            << rows << " x " << inner << " x " << columns;
        MultiplyF32(a.data(), 1, rows, b.data(), columns + 2, rows, inner, columns, c.data(),
                    columns);
        ASSERT_TRUE(SameBits(
            c, PlainProduct(a.data(), 1, rows, b.data(), columns + 2, rows, inner, columns)))
            << "transposed, " << rows << " x " << inner << " x " << columns;
      }
    }
  }
}

TEST_P(PanelTest, NothingIsFused) {
  // (1 + e)^2 rounds to 1 + 2e; only a fused multiply-add would keep the e^2.
  constexpr float kEpsilon = 1.0f / (1 << 12);
  const std::vector<float> factor(32, 1.0f + kEpsilon);
  std::vector<float> y(32, -(1.0f + 2 * kEpsilon));
  AddScaledF32(y.data(), 1.0f + kEpsilon, factor.data(), y.size());
  EXPECT_TRUE(SameBits(y, std::vector<float>(32, 0.0f)));
}

}  // namespace
}  // namespace recall
