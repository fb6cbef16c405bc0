#pragma once

// What the processes of a stress run tell each other: memory that they share and that outlives any
// of them, so that what a process said before it was killed is not lost.

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
    std::atomic<int64_t> acknowledged = 0;  // the last step that the writer said was done
    std::atomic<int64_t> acknowledged_commit = 0;
    std::atomic<bool> writing = false;         // a writer has opened the store
    std::atomic<int64_t> reads = 0;            // transactions of readers
    std::atomic<int64_t> mapped = 0;           // segments they read in place
    std::atomic<int64_t> copied = 0;           // and by copy
    std::atomic<int64_t> raw_pages = 0;        // pages they compared in place by themselves
    std::atomic<int64_t> read_max_micros = 0;  // the longest that one of them took
    std::atomic<int64_t> write_max_micros = 0;
    std::atomic<bool> stop = false;
  };
  Facts& facts() { return *facts_; }
  const Facts& facts() const { return *facts_; }

  // Keeps the first fault that anyone found.
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

// A process that runs `work` and ends; killed with its owner. Use where no other thread runs.
class StressProcess final {
 public:
  explicit StressProcess(const std::function<void()>& work);
  ~StressProcess() { Kill(); }
  StressProcess(const StressProcess&) = delete;
  StressProcess& operator=(const StressProcess&) = delete;

  // SIGKILL. Returns: how it had ended by itself before that; "" when it was still running.
  std::string Kill();
  // Waits for its end. Returns: "" when all was well.
  std::string Wait();

 private:
  int pid_;
};

}  // namespace recall
