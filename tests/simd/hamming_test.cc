#include <bit>

#include "tests/simd/simd_test_util.h"

namespace recall {
namespace {

using HammingTest = EveryTarget;
RECALL_ON_EVERY_TARGET(HammingTest);

TEST_P(HammingTest, EqualsCountingBitByBit) {
  for (const size_t bytes : Lengths()) {
    const auto a = RandomIntegers<uint8_t>(random_, bytes + 1, 0, 255);
    const auto b = RandomIntegers<uint8_t>(random_, bytes + 1, 0, 255);
    for (const size_t start : {0, 1}) {
      uint32_t expected = 0;
      for (size_t i = 0; i < bytes; ++i) {
        expected += static_cast<uint32_t>(std::popcount<uint8_t>(a[start + i] ^ b[start + i]));
      }
      ASSERT_EQ(HammingDistance(a.data() + start, b.data() + start, bytes), expected)
          << "bytes " << bytes << " start " << start;
    }
  }
}

TEST_P(HammingTest, AllBitsDiffer) {
  const std::vector<uint8_t> zeros(1 << 16, 0);
  const std::vector<uint8_t> ones(1 << 16, 255);
  EXPECT_EQ(HammingDistance(zeros.data(), ones.data(), zeros.size()), 8u << 16);
  EXPECT_EQ(HammingDistance(ones.data(), ones.data(), ones.size()), 0u);
}

}  // namespace
}  // namespace recall
