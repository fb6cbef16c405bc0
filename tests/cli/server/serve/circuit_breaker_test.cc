#include "cli/server/serve/circuit_breaker.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

TEST(CircuitBreaker, CallsFailForSomeSecondsAndAreTriedAgain) {
  constexpr int64_t kSecond = 1'000'000;
  CircuitBreaker breaker;
  EXPECT_EQ(breaker.OpenFor(100 * kSecond), 0);
  breaker.Open(100 * kSecond);
  EXPECT_EQ(breaker.OpenFor(102 * kSecond), 3 * kSecond);
  EXPECT_EQ(breaker.OpenFor(105 * kSecond), 0);
  breaker.Open(106 * kSecond);
  breaker.Close();
  EXPECT_EQ(breaker.OpenFor(106 * kSecond), 0);
}

}  // namespace
}  // namespace recall
