// Percentiles, compared with values computed by hand.

#include "query/measure/bench/latency.h"

#include <gtest/gtest.h>

#include <numeric>

namespace recall {
namespace {

TEST(Latency, PercentilesAreByNearestRank) {
  std::vector<int64_t> times(200);
  std::iota(times.rbegin(), times.rend(), 1);  // 200, 199, ..., 1
  const BenchLatency latency = SummarizeLatencies(times);
  EXPECT_EQ(latency.asked, 200);
  EXPECT_EQ(latency.least_micros, 1);
  EXPECT_EQ(latency.p50_micros, 100);
  EXPECT_EQ(latency.p90_micros, 180);
  EXPECT_EQ(latency.p99_micros, 198);
  EXPECT_EQ(latency.max_micros, 200);
}

TEST(Latency, RanksAreRoundedUp) {
  const BenchLatency latency = SummarizeLatencies({30, 10, 20});
  EXPECT_EQ(latency.least_micros, 10);
  EXPECT_EQ(latency.p50_micros, 20);  // position 1.5, rounded up to 2
  EXPECT_EQ(latency.p90_micros, 30);  // position 2.7, rounded up to 3
  EXPECT_EQ(latency.p99_micros, 30);
}

TEST(Latency, OneTimeIsEveryPercentile) {
  const BenchLatency latency = SummarizeLatencies({7});
  EXPECT_EQ(latency.least_micros, 7);
  EXPECT_EQ(latency.p50_micros, 7);
  EXPECT_EQ(latency.p99_micros, 7);
  EXPECT_EQ(latency.max_micros, 7);
}

}  // namespace
}  // namespace recall
