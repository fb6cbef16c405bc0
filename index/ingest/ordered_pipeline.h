#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace recall {

// Runs jobs on worker threads and hands the results back in the order the jobs were given, so
// that what a single writer does with them is the same for any number of threads.
//
// Each worker owns one Worker (caches, scratch memory), made by the factory on its own thread.
// How much may be in flight is the caller's decision: Submit never blocks, Take waits for the
// oldest job.
//
//   while (more) { while (fits) pipeline.Submit(next); use(pipeline.Take()); }
template <typename Job, typename Output, typename Worker>
class OrderedPipeline final {
 public:
  OrderedPipeline(size_t threads, std::function<Worker()> make_worker) {
    for (size_t i = 0; i < threads; ++i) {
      threads_.emplace_back([this, make_worker] { Run(make_worker()); });
    }
  }

  // Jobs not yet begun are dropped; jobs in progress are waited for.
  ~OrderedPipeline() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    work_ready_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  OrderedPipeline(const OrderedPipeline&) = delete;
  OrderedPipeline& operator=(const OrderedPipeline&) = delete;

  void Submit(Job job) {
    {
      const std::lock_guard lock(mutex_);
      slots_.push_back(Slot{std::move(job), {}, false});
    }
    work_ready_.notify_one();
  }

  // Requires: pending() > 0.
  Output Take() {
    std::unique_lock lock(mutex_);
    output_ready_.wait(lock, [this] { return slots_.front().done; });
    Output output = std::move(slots_.front().output);
    slots_.pop_front();
    --next_;
    return output;
  }

  // Jobs submitted and not yet taken. Call from the submitting thread.
  size_t pending() const {
    const std::lock_guard lock(mutex_);
    return slots_.size();
  }

 private:
  struct Slot {
    Job job;
    Output output;
    bool done;
  };

  void Run(Worker worker) {
    std::unique_lock lock(mutex_);
    for (;;) {
      work_ready_.wait(lock, [this] { return stopping_ || next_ < slots_.size(); });
      if (stopping_) return;
      // A deque keeps references valid while other slots come and go at its ends.
      Slot& slot = slots_[next_++];
      lock.unlock();
      Output output = worker(std::move(slot.job));
      lock.lock();
      slot.output = std::move(output);
      slot.done = true;
      output_ready_.notify_one();
    }
  }

  mutable std::mutex mutex_;
  std::condition_variable work_ready_;
  std::condition_variable output_ready_;
  std::deque<Slot> slots_;  // oldest first
  size_t next_ = 0;         // index of the first slot no worker has begun
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace recall
