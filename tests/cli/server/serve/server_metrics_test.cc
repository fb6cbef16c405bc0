#include "cli/server/serve/server_metrics.h"

#include <gtest/gtest.h>

#include <string>

namespace recall {
namespace {

TEST(ServerMetricsTest, BucketsCountAllThatIsNotSlower) {
  ServerMetrics metrics;
  metrics.CountRequest("search", 200, 100);
  metrics.CountRequest("search", 204, 101);
  metrics.CountRequest("search", 404, 20'000'000);
  const std::string text = metrics.Print({}, {}, 1'500'000);
  const auto expect = [&](const std::string& line) {
    EXPECT_NE(text.find("\n" + line + "\n"), std::string::npos) << line << "\n" << text;
  };
  expect("recall_requests_total{route=\"search\",status=\"2xx\"} 2");
  expect("recall_requests_total{route=\"search\",status=\"4xx\"} 1");
  expect("recall_request_seconds_bucket{route=\"search\",le=\"0.0001\"} 1");
  expect("recall_request_seconds_bucket{route=\"search\",le=\"0.00025\"} 2");
  expect("recall_request_seconds_bucket{route=\"search\",le=\"10\"} 2");
  expect("recall_request_seconds_bucket{route=\"search\",le=\"+Inf\"} 3");
  expect("recall_request_seconds_sum{route=\"search\"} 20.000201");
  expect("recall_request_seconds_count{route=\"search\"} 3");
  expect("recall_uptime_seconds 1.5");
}

TEST(ServerMetricsTest, NamesOfStoresCannotBreakTheText) {
  const ServerMetrics metrics;
  const std::string text = metrics.Print({{"a\"b\\c\nd", 7, 0, 0}}, {.hits = 3, .misses = 4}, 0);
  EXPECT_NE(text.find("recall_store_documents{store=\"a\\\"b\\\\c\\nd\"} 7\n"), std::string::npos);
  EXPECT_NE(text.find("recall_cache_requests_total{outcome=\"hit\"} 3\n"), std::string::npos);
  EXPECT_NE(text.find("recall_cache_requests_total{outcome=\"miss\"} 4\n"), std::string::npos);
}

}  // namespace
}  // namespace recall
