#include "index/base/math/natural_log.h"
#include "index/base/math/natural_exp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/test_util.h"

namespace recall {
namespace {

TEST(NaturalLog, IsWithinAnUlpOrTwoOfTheLibrary) {
  std::mt19937_64 random(TestSeed(1));
  std::uniform_real_distribution<double> mantissa(0.5, 1);
  for (int i = 0; i < 200000; ++i) {
    const double x = std::ldexp(mantissa(random), static_cast<int>(random() % 2040) - 1020);
    const double expected = std::log(x);
    ASSERT_NEAR(NaturalLog(x), expected, 4e-16 * std::fabs(expected) + 1e-16) << x;
  }
}

TEST(NaturalExp, IsWithinAnUlpOrThreeOfTheLibraryAndTheInverseOfTheLogarithm) {
  std::mt19937_64 random(TestSeed(2));
  std::uniform_real_distribution<double> exponent(-700, 700);
  for (int i = 0; i < 200000; ++i) {
    const double x = exponent(random) / (i % 2 ? 1 : 200);
    const double expected = std::exp(x);
    ASSERT_NEAR(NaturalExp(x), expected, 1e-15 * expected) << x;
    ASSERT_NEAR(NaturalLog(NaturalExp(x)), x, 1e-15 * std::fabs(x) + 1e-15);
  }
  EXPECT_EQ(NaturalExp(0), 1);
}

TEST(NaturalLog, IsExactAtOneAndGrowsBesideIt) {
  EXPECT_EQ(NaturalLog(1), 0);
  EXPECT_GT(NaturalLog(std::nextafter(1, 2)), 0);
  EXPECT_LT(NaturalLog(std::nextafter(1, 0)), 0);
  EXPECT_DOUBLE_EQ(NaturalLog(std::numeric_limits<double>::max()), 709.782712893384);
}

TEST(NaturalLog, NeverFallsWhereIdfIsComputed) {
  // idf = ln(1 + (N-df+.5)/(df+.5)) must fall as df grows.
  constexpr double kChunks = 100000;
  double before = std::numeric_limits<double>::infinity();
  for (double df = 0; df <= kChunks; ++df) {
    const double idf = NaturalLog(1 + (kChunks - df + 0.5) / (df + 0.5));
    ASSERT_LT(idf, before) << df;
    ASSERT_GT(idf, 0);
    before = idf;
  }
}

}  // namespace
}  // namespace recall
