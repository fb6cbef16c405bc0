#pragma once

#include <atomic>
#include <cstdint>

namespace recall {

// Keeps requests from waiting, one after the other, for a server that does not answer: after a call
// that took too long, the next ones fail at once for some seconds. Then calls are tried again.
// Thread-safe. Source: Nygard, "Release It!", 2007, chapter "Circuit Breaker".
class CircuitBreaker final {
 public:
  static constexpr int64_t kOpenMicros = 5'000'000;

  // A call failed at this time, having waited in vain. Times are those of one steady clock, in
  // microseconds.
  void Open(int64_t now) { until_ = now + kOpenMicros; }
  // A call was answered.
  void Close() { until_ = 0; }
  // Returns: the time for which calls fail, more than 0; 0: they may be tried.
  int64_t OpenFor(int64_t now) const {
    const int64_t left = until_ - now;
    return left > 0 ? left : 0;
  }

 private:
  std::atomic<int64_t> until_ = 0;
};

}  // namespace recall
