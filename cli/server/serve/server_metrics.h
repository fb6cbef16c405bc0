#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/run/execution/answer_cache.h"

namespace recall {

// What one store has, for its metrics.
struct StoreFigures {
  std::string name;
  int64_t documents = 0;
  int64_t chunks = 0;
  std::optional<int64_t> bytes;  // of the file; unset if it may not be told
};

// Counts what a server does, for monitoring systems. Thread-safe. Labels are names of routes and
// stages; nothing that a client makes up becomes one.
class ServerMetrics final {
 public:
  // `route`: one that exists, or "other"; `status`: of HTTP.
  void CountRequest(std::string_view route, int status, int64_t micros);
  void CountStage(std::string_view stage, int64_t micros);

  // Returns: all metrics in the text format of Prometheus, version 0.0.4.
  std::string Print(const std::vector<StoreFigures>& stores, AnswerCache::Uses cache,
                    int64_t uptime_micros) const;

 private:
  static constexpr size_t kBuckets = 16;
  struct Histogram {
    std::array<uint64_t, kBuckets> counts{};  // in each bucket alone; slower ones in none
    uint64_t total = 0;
    int64_t sum_micros = 0;

    void Add(int64_t micros);
  };
  using Histograms = std::map<std::string, Histogram, std::less<>>;

  static const std::array<int64_t, kBuckets> kBounds;  // microseconds, inclusive
  static void PrintHistograms(const char* name, const char* help, const char* label,
                              const Histograms& histograms, std::string* out);

  mutable std::mutex mutex_;                                  // guards the following
  std::map<std::pair<std::string, int>, uint64_t> requests_;  // by route and class of status
  Histograms request_times_;
  Histograms stage_times_;
};

}  // namespace recall
