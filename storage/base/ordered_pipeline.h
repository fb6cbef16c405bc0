#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "storage/base/thread_failure.h"
#include "storage/base/thread_start.h"

namespace recall {

// The problem: jobs take different times, but a single writer must get the results in the order of
// the jobs, so that the written store is the same for any number of threads.
//
// The pipeline is a queue of slots in submission order. Workers take the first slot that no worker
// has begun; Take() waits for the oldest slot:
//
//   slots_    [done] [running] [done] [running] [waiting] [waiting]
//             ^ Take()                          ^ next_
//   Submit() appends a waiting slot.
//
//   while (more) { while (fits) pipeline.Submit(next); use(pipeline.Take()); }
//
// Each worker thread owns one Worker (caches, scratch memory), made by the factory on that thread.
// If a worker or the factory throws, the workers stop, and Take throws the exception.
// If the system starts fewer threads than requested, those that exist do all jobs; if it starts
// none, Take runs the oldest job on the caller's thread. The caller limits the number of jobs in
// flight: Submit never blocks. Submit, Take and pending must be called by one thread.
//
// Invariant: slots [0, next_) were begun, the others were not. A worker may write to its slot
// without the lock being held during the job, because a deque keeps references to elements valid
// while others are added and removed at its ends.
//
// Cost: one mutex for all slots, locked three times per job; jobs take milliseconds. A slow oldest
// job delays Take, but the workers continue with later jobs as far as the caller has submitted
// them.
template <typename Job, typename Output, typename Worker>
class OrderedPipeline final {
 public:
  OrderedPipeline(size_t threads, std::function<Worker()> make_worker)
      : make_worker_(std::move(make_worker)) {
    threads_.reserve(threads);
    while (threads_.size() < threads) {
      auto thread = StartThread([this] { Work(); });
      if (!thread) break;
      threads_.push_back(*std::move(thread));
    }
    if (threads_.empty()) own_worker_.emplace(make_worker_());
  }

  // Drops jobs that have not begun and waits for jobs in progress.
  ~OrderedPipeline() {
    Stop();
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

  // Returns the output of the oldest job, and waits for it if necessary. Requires: pending() > 0.
  Output Take() {
    if (own_worker_) return RunOldest();
    std::unique_lock lock(mutex_);
    output_ready_.wait(lock, [this] { return slots_.front().done || failure_.failed(); });
    if (!slots_.front().done) failure_.Rethrow();
    Output output = std::move(slots_.front().output);
    slots_.pop_front();
    --next_;
    return output;
  }

  // The number of jobs submitted and not yet taken.
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

  // Requires: no worker thread exists.
  Output RunOldest() {
    Job job = std::move(slots_.front().job);
    slots_.pop_front();
    return (*own_worker_)(std::move(job));
  }

  void Stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    work_ready_.notify_all();
  }

  // The work of one thread.
  void Work() {
    failure_.Guard([this] { Run(make_worker_()); });
    if (!failure_.failed()) return;
    Stop();
    output_ready_.notify_one();
  }

  void Run(Worker worker) {
    std::unique_lock lock(mutex_);
    for (;;) {
      work_ready_.wait(lock, [this] { return stopping_ || next_ < slots_.size(); });
      if (stopping_) return;
      // A deque keeps references valid while slots are added and removed at its ends.
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
  ThreadFailure failure_;
  const std::function<Worker()> make_worker_;
  std::vector<std::thread> threads_;
  std::optional<Worker> own_worker_;  // only if there are no threads
};

}  // namespace recall
