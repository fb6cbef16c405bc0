#include <bit>

#include "tests/simd/simd_test_util.h"

namespace recall {
namespace {

using BitsTest = EveryTarget;
RECALL_ON_EVERY_TARGET(BitsTest);

TEST_P(BitsTest, CountsBitByBit) {
  for (const size_t bytes : Lengths()) {
    const auto a = RandomIntegers<uint8_t>(random_, bytes + 1, 0, 255);
    for (const size_t start : {0, 1}) {
      uint64_t expected = 0;
      for (size_t i = 0; i < bytes; ++i) {
        expected += static_cast<uint64_t>(std::popcount(a[start + i]));
      }
      ASSERT_EQ(CountBits(a.data() + start, bytes), expected) << "bytes " << bytes;
    }
  }
}

TEST_P(BitsTest, CountsMoreThanAByteCanHold) {
  const std::vector<uint8_t> ones(1 << 16, 255);
  EXPECT_EQ(CountBits(ones.data(), ones.size()), uint64_t{8} << 16);
}

TEST_P(BitsTest, PositiveNumbersHaveABit) {
  for (size_t n = 0; n <= 320; n += 8) {
    auto values = RandomIntegers<int8_t>(random_, n + 1, -2, 2);
    values.front() = 127;
    values.back() = -128;
    for (const size_t start : {0, 1}) {
      std::vector<uint8_t> expected(n / 8 + 1, 7);
      std::fill_n(expected.begin(), n / 8, uint8_t{0});
      for (size_t i = 0; i < n; ++i) {
        expected[i / 8] |= static_cast<uint8_t>(int{values[start + i] > 0} << i % 8);
      }
      std::vector<uint8_t> bits(n / 8 + 1, 7);
      PositiveBits(values.data() + start, n, bits.data());
      ASSERT_EQ(bits, expected) << "n " << n;
    }
  }
}

}  // namespace
}  // namespace recall
