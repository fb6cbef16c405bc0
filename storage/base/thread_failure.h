#pragma once

#include <atomic>
#include <exception>
#include <mutex>

namespace recall {

// Carries an exception (std::bad_alloc, say) from the threads that share a piece of work to the
// thread that waits for them. On a thread of its own it would end the process. Thread-safe.
class ThreadFailure final {
 public:
  // Runs `work` and keeps the first exception of all calls.
  template <typename Work>
  void Guard(Work work) noexcept {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!first_) first_ = std::current_exception();
      failed_ = true;
    }
  }

  // Whether there was an exception: the other threads may stop.
  bool failed() const { return failed_.load(std::memory_order_relaxed); }

  // Throws what was kept, if there is something.
  void Rethrow() {
    std::unique_lock lock(mutex_);
    const std::exception_ptr first = first_;
    lock.unlock();
    if (first) std::rethrow_exception(first);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
  std::atomic<bool> failed_ = false;
};

}  // namespace recall
