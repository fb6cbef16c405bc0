#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <thread>

namespace recall {

// Starts a thread that runs `work`. Nothing if the system cannot start one: a limit of the user or
// of a container is reached, or memory for its stack is lacking. Callers then do the work on the
// threads they have, at least on their own. `work` must not throw (thread_failure.h); if it
// captures at most two pointers, neither does this function. Thread-safe.
std::optional<std::thread> StartThread(std::function<void()> work);

// The number of CPUs that the system lets this process use, at least 1. Unlike
// std::thread::hardware_concurrency, it opens no file and respects the process's affinity.
uint32_t UsableCpus();

// For tests: as long as it exists, StartThread starts at most `threads` threads, and then none, as
// on a system with a limit. At most one at a time.
class ThreadShortage final {
 public:
  explicit ThreadShortage(int64_t threads);
  ~ThreadShortage();
  ThreadShortage(const ThreadShortage&) = delete;
  ThreadShortage& operator=(const ThreadShortage&) = delete;
};

}  // namespace recall
