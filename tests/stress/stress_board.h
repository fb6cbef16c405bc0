#pragma once

// Shared memory of the processes of a stress run. It outlives them, so the facts that a process
// recorded before it was killed are not lost.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace recall {

class StressBoard final {
 public:
  StressBoard();
  ~StressBoard();
  StressBoard(const StressBoard&) = delete;
  StressBoard& operator=(const StressBoard&) = delete;

  struct Facts {
    std::atomic<int64_t> acknowledged = 0;  // the last step that the writer acknowledged
    std::atomic<int64_t> acknowledged_commit = 0;
    std::atomic<bool> writing = false;         // a writer has opened the store
    std::atomic<int64_t> reads = 0;            // transactions of readers
    std::atomic<int64_t> mapped = 0;           // segments that readers read in place
    std::atomic<int64_t> copied = 0;           // segments that readers read by copy
    std::atomic<int64_t> raw_pages = 0;        // pages that readers compared in place
    std::atomic<int64_t> read_max_micros = 0;  // the longest transaction
    std::atomic<int64_t> write_max_micros = 0;
    std::atomic<bool> stop = false;
  };
  Facts& facts() { return *facts_; }
  const Facts& facts() const { return *facts_; }

  // Stores the fault if it is the first one.
  void Report(const std::string& fault);
  bool faulty() const;
  std::string fault() const;

 private:
  struct Memory;
  Memory* memory_;
  Facts* facts_;
};

// Raises `value` to at least `seen`.
inline void RaiseTo(std::atomic<int64_t>& value, int64_t seen) {
  int64_t before = value;
  while (before < seen && !value.compare_exchange_weak(before, seen)) {
  }
}

// A child process that runs `work`. It is killed with its owner. Requires: no other thread runs.
class StressProcess final {
 public:
  explicit StressProcess(const std::function<void()>& work);
  ~StressProcess() { Kill(); }
  StressProcess(const StressProcess&) = delete;
  StressProcess& operator=(const StressProcess&) = delete;

  // Sends SIGKILL. Returns: "" if the process was still running, otherwise how it had ended.
  std::string Kill();
  // Waits for the end of the process. Returns: "" if it succeeded.
  std::string Wait();

 private:
  int pid_;
};

}  // namespace recall
