#pragma once

// Runs a kernel test on every target of this CPU and build. Targets that agree with the oracle
// agree with each other.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "simd/kernels.h"
#include "tests/test_util.h"

namespace recall {

class EveryTarget : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(ForceSimdTarget(GetParam())); }
  void TearDown() override { ForceSimdTarget(""); }

  std::mt19937_64 random_{TestSeed(20260204)};
};

#define RECALL_ON_EVERY_TARGET(suite)                                                \
  INSTANTIATE_TEST_SUITE_P(Simd, suite, ::testing::ValuesIn(SupportedSimdTargets()), \
                           [](const auto& instance) { return instance.param; })

// Uniformly distributed integers from `low` to `high`.
template <typename T>
std::vector<T> RandomIntegers(std::mt19937_64& random, size_t count, int low, int high) {
  std::uniform_int_distribution<int> uniform(low, high);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(uniform(random));
  return values;
}

// Numbers of different magnitude and sign, so that the order of additions affects the last bits.
inline std::vector<float> RandomFloats(std::mt19937_64& random, size_t count) {
  std::uniform_real_distribution<float> mantissa(-1.0f, 1.0f);
  std::uniform_int_distribution<int> exponent(-8, 8);
  std::vector<float> values(count);
  for (float& value : values) value = std::ldexp(mantissa(random), exponent(random));
  return values;
}

// All lengths up to more than two of the longest registers, then lengths of real vectors.
inline std::vector<size_t> Lengths() {
  std::vector<size_t> lengths;
  for (size_t n = 0; n <= 2 * 64 + 1; ++n) lengths.push_back(n);
  lengths.insert(lengths.end(), {255, 256, 257, 384, 768, 1000, 1024, 4096});
  return lengths;
}

}  // namespace recall
