#include "storage/postgres/heartbeat.h"

#include <chrono>

#include "storage/base/thread_start.h"

namespace recall {

void Heartbeat::Begin() {
  if (!thread_) thread_ = StartThread([this] { Run(); });
}

void Heartbeat::End() {
  if (!thread_) return;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_->join();
  thread_.reset();
  ending_ = false;
}

void Heartbeat::Run() {
  constexpr std::chrono::seconds kInterval{2};
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kInterval, [this] { return ending_; })) {
    lock.unlock();
    beat_();
    lock.lock();
  }
}

}  // namespace recall
