#include <bit>
#include <cstring>

#include "tests/simd/simd_test_util.h"

namespace recall {
namespace {

// The textbook algorithm, nearest pairs first.
void PlainTransform(std::vector<float>& values) {
  for (size_t half = 1; half < values.size(); half *= 2) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (i & half) continue;
      const float x = values[i];
      const float y = values[i | half];
      values[i] = x + y;
      values[i | half] = x - y;
    }
  }
}

using HadamardTest = EveryTarget;
RECALL_ON_EVERY_TARGET(HadamardTest);

TEST_P(HadamardTest, HasTheBitsOfTheTextbookLoop) {
  for (size_t n = 1; n <= 4096; n *= 2) {
    for (const size_t start : {0, 1, 5}) {
      const std::vector<float> input = RandomFloats(random_, start + n);
      std::vector<float> expected(input.begin() + static_cast<ptrdiff_t>(start), input.end());
      PlainTransform(expected);
      std::vector<float> actual = input;
      HadamardTransform(actual.data() + start, n);
      ASSERT_EQ(std::memcmp(actual.data() + start, expected.data(), n * sizeof(float)), 0)
          << "n " << n << " start " << start;
      ASSERT_EQ(std::memcmp(actual.data(), input.data(), start * sizeof(float)), 0)
          << "wrote before the first value";
    }
  }
}

TEST_P(HadamardTest, EntryIsTheSumWithSignsOfTheWalshMatrix) {
  constexpr size_t kSize = 64;
  const auto small = RandomIntegers<int8_t>(random_, kSize, -100, 100);
  std::vector<float> values(small.begin(), small.end());
  HadamardTransform(values.data(), kSize);
  for (size_t row = 0; row < kSize; ++row) {
    int sum = 0;
    for (size_t column = 0; column < kSize; ++column) {
      sum += std::popcount(row & column) % 2 ? -small[column] : small[column];
    }
    EXPECT_EQ(values[row], static_cast<float>(sum)) << "row " << row;
  }
}

TEST_P(HadamardTest, TwiceIsTheInputTimesItsLength) {
  constexpr size_t kSize = 256;
  const auto small = RandomIntegers<int8_t>(random_, kSize, -100, 100);
  std::vector<float> values(small.begin(), small.end());
  HadamardTransform(values.data(), kSize);
  HadamardTransform(values.data(), kSize);
  for (size_t i = 0; i < kSize; ++i) EXPECT_EQ(values[i], 256.0f * small[i]);
}

}  // namespace
}  // namespace recall
