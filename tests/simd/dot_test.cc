#include <algorithm>
#include <bit>

#include "tests/simd/simd_test_util.h"

namespace recall {
namespace {

// The definition of DotF32: 16 lanes, multiply, add, and a tree of additions over the lanes.
float SixteenLaneDot(const float* a, const float* b, size_t n) {
  float lanes[16] = {};
  for (size_t i = 0; i < n; ++i) {
    const float product = a[i] * b[i];
    lanes[i % 16] += product;
  }
  for (size_t half : {8, 4, 2, 1}) {
    for (size_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  }
  return lanes[0];
}

template <typename Query>
int64_t PlainDot(const Query* q, const int8_t* v, size_t n) {
  int64_t sum = 0;
  for (size_t i = 0; i < n; ++i) sum += int64_t{q[i]} * v[i];
  return sum;
}

using DotTest = EveryTarget;
RECALL_ON_EVERY_TARGET(DotTest);

TEST_P(DotTest, FloatsHaveTheBitsOfTheSixteenLaneLoop) {
  for (const size_t n : Lengths()) {
    for (const size_t start : {0, 1, 3, 15}) {
      const std::vector<float> a = RandomFloats(random_, start + n);
      const std::vector<float> b = RandomFloats(random_, start + n);
      const float expected = SixteenLaneDot(a.data() + start, b.data() + start, n);
      const float actual = DotF32(a.data() + start, b.data() + start, n);
      ASSERT_EQ(std::bit_cast<uint32_t>(actual), std::bit_cast<uint32_t>(expected))
          << "n " << n << " start " << start << ": " << actual << " is not " << expected;
    }
  }
}

TEST_P(DotTest, FloatsAreNotFused) {
  // (1 + e)^2 rounds to 1 + 2e; only a fused multiply-add would keep the e^2.
  constexpr float kEpsilon = 1.0f / (1 << 12);
  std::vector<float> a(32, 0.0f);
  std::vector<float> b(32, 0.0f);
  a[0] = b[0] = 1.0f + kEpsilon;
  a[16] = -1.0f;
  b[16] = 1.0f + 2 * kEpsilon;
  EXPECT_EQ(DotF32(a.data(), b.data(), a.size()), 0.0f);
}

TEST_P(DotTest, BytesEqualTheLoop) {
  for (const size_t n : Lengths()) {
    for (const size_t start : {0, 1, 7}) {
      const auto a = RandomIntegers<int8_t>(random_, start + n, -128, 127);
      const auto b = RandomIntegers<int8_t>(random_, start + n, -128, 127);
      ASSERT_EQ(DotI8(a.data() + start, b.data() + start, n),
                PlainDot(a.data() + start, b.data() + start, n))
          << "n " << n;
    }
  }
}

TEST_P(DotTest, BytesDoNotOverflowAtTheLongestLength) {
  const std::vector<int8_t> least(65536, -128);
  EXPECT_EQ(DotI8(least.data(), least.data(), least.size()), 65536 * 128 * 128);
}

TEST_P(DotTest, WideQueriesEqualTheLoop) {
  for (const size_t n : Lengths()) {
    // The largest components that the contract allows for this length, up to 16 bits.
    const int limit =
        static_cast<int>(std::min<size_t>(32767, 16'000'000 / std::max<size_t>(n, 1)));
    const auto q = RandomIntegers<int16_t>(random_, n + 1, -limit, limit);
    const auto v = RandomIntegers<int8_t>(random_, n + 1, -127, 127);
    ASSERT_EQ(DotI16I8(q.data(), v.data(), n), PlainDot(q.data(), v.data(), n)) << "n " << n;
    ASSERT_EQ(DotI16I8(q.data() + 1, v.data() + 1, n), PlainDot(q.data() + 1, v.data() + 1, n))
        << "unaligned, n " << n;
  }
}

TEST_P(DotTest, WideQueriesReachTheEndsOfTheRange) {
  const std::vector<int16_t> q(512, 32767);
  const std::vector<int8_t> v(512, -127);
  EXPECT_EQ(DotI16I8(q.data(), v.data(), 512), -127 * 32767 * 512);
}

TEST_P(DotTest, RowsEqualOneRowAtATime) {
  for (const size_t n : {1, 15, 64, 100, 256, 257}) {
    for (const size_t gap : {0, 4}) {
      const size_t stride = n + gap;
      const size_t most = 11;
      const auto q = RandomIntegers<int16_t>(random_, n, -8191, 8191);
      const auto rows = RandomIntegers<int8_t>(random_, most * stride, -127, 127);
      for (size_t count = 0; count <= most; ++count) {
        std::vector<int32_t> scores(count + 1, 7);
        DotI16I8Rows(q.data(), rows.data(), stride, n, count, scores.data());
        for (size_t r = 0; r < count; ++r) {
          ASSERT_EQ(scores[r], PlainDot(q.data(), rows.data() + r * stride, n))
              << "n " << n << " row " << r << " of " << count;
        }
        ASSERT_EQ(scores[count], 7) << "wrote past the last row";
      }
    }
  }
}

TEST_P(DotTest, GatheredRowsEqualOneRowAtATime) {
  for (const size_t n : {1, 15, 64, 100, 256, 257, 1024}) {
    const size_t stored = 100;
    const auto q = RandomIntegers<int16_t>(random_, n, -8191, 8191);
    const auto rows = RandomIntegers<int8_t>(random_, stored * n, -127, 127);
    for (const size_t count : {0, 1, 2, 31, 32, 33, 70}) {
      std::vector<const int8_t*> gathered;
      for (size_t r = 0; r < count; ++r) gathered.push_back(rows.data() + random_() % stored * n);
      std::vector<int32_t> scores(count + 1, 7);
      DotI16I8Gather(q.data(), gathered.data(), n, count, scores.data());
      for (size_t r = 0; r < count; ++r) {
        ASSERT_EQ(scores[r], PlainDot(q.data(), gathered[r], n)) << "n " << n << " row " << r;
      }
      ASSERT_EQ(scores[count], 7) << "wrote past the last row";
    }
  }
}

TEST_P(DotTest, PairsEqualOneRowAtATime) {
  for (const size_t n : {0, 1, 2, 15, 64, 100, 255, 256, 257, 700}) {
    const auto rows = RandomIntegers<int8_t>(random_, 70 * n, -128, 127);
    for (const size_t count : {0, 1, 3, 4, 5, 31, 32, 33, 70}) {
      std::vector<const int8_t*> pointers;
      for (size_t r = 0; r < count; ++r) pointers.push_back(rows.data() + (69 - r) * n);
      std::vector<int32_t> products(count * count + 1, 7);
      DotI8Pairs(pointers.data(), n, count, products.data());
      for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j < count; ++j) {
          ASSERT_EQ(products[i * count + j], PlainDot(pointers[i], pointers[j], n))
              << "n " << n << ", rows " << i << " and " << j << " of " << count;
        }
      }
      ASSERT_EQ(products[count * count], 7) << "wrote past the last row";
    }
  }
}

TEST_P(DotTest, PairsOfTheLeastBytesDoNotOverflow) {
  const std::vector<int8_t> row(4096, -128);
  const std::vector<const int8_t*> pointers(5, row.data());
  std::vector<int32_t> products(25);
  DotI8Pairs(pointers.data(), row.size(), pointers.size(), products.data());
  EXPECT_EQ(products, std::vector<int32_t>(25, 128 * 128 * 4096));
}

}  // namespace
}  // namespace recall
