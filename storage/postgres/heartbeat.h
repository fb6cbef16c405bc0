#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace recall {

// Calls a function every two seconds, on a thread of its own, between Begin and End. Begin and End
// belong to one thread at a time.
class Heartbeat final {
 public:
  // `beat` must not throw, and must not wait for a lock that the caller of End holds.
  explicit Heartbeat(std::function<void()> beat) : beat_(std::move(beat)) {}
  ~Heartbeat() { End(); }
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  // Does nothing if it has begun, or if no thread can be started.
  void Begin();
  // Waits for the call that is running.
  void End();

 private:
  void Run();

  const std::function<void()> beat_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false;
  std::optional<std::thread> thread_;
};

}  // namespace recall
