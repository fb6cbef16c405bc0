#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "storage/base/thread_failure.h"
#include "storage/base/thread_start.h"

namespace recall {

// Runs task(0) .. task(count - 1), each once, on up to `threads` threads including the caller's,
// and returns when all are done. If the system cannot start more threads, those that exist do all
// the work. The caller decides how the work is divided into tasks, independently of the number of
// threads; tasks that write to disjoint memory give the same result with any number. Once *cancel
// is true no further task is started (null: never). If a task throws, no further one is started,
// and the exception is thrown again when those that run have ended. Returns: false if cancelled.
template <typename Task>
bool RunFixedTasks(uint32_t threads, size_t count, const std::atomic<bool>* cancel, Task task) {
  std::atomic<size_t> next{0};
  std::atomic<bool> stopped{false};
  ThreadFailure failure;
  const auto run_tasks = [&] {
    for (size_t i = next++; i < count && !failure.failed(); i = next++) {
      if (cancel && cancel->load(std::memory_order_relaxed)) {
        stopped = true;
        return;
      }
      task(i);
    }
  };
  const auto work = [&failure, &run_tasks] { failure.Guard(run_tasks); };
  const size_t wanted = std::min<size_t>(std::max<uint32_t>(threads, 1), count);
  std::vector<std::thread> helpers;
  helpers.reserve(wanted);
  while (helpers.size() + 1 < wanted) {
    std::optional<std::thread> helper = StartThread(work);
    if (!helper) break;  // the threads that were started run all tasks
    helpers.push_back(*std::move(helper));
  }
  work();
  for (std::thread& helper : helpers) helper.join();
  failure.Rethrow();
  return !stopped;
}

}  // namespace recall
