#include "storage/replica/page_fetcher.h"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "storage/base/thread_start.h"

namespace recall {

PageFetcher::~PageFetcher() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
    queue_.clear();
  }
  work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void PageFetcher::Enqueue(uint32_t number, bool first) {
  if (!pending_.insert(number).second) return;
  if (first) {
    queue_.push_front(number);
  } else {
    queue_.push_back(number);
  }
}

void PageFetcher::StartThreads() {
  const size_t groups = (queue_.size() + kMostInGroup - 1) / kMostInGroup;
  while (threads_.size() < std::min(kMostThreads, groups)) {
    std::optional<std::thread> started = StartThread([this] { Work(); });
    if (!started) break;
    threads_.push_back(*std::move(started));
  }
  work_.notify_all();
}

void PageFetcher::Request(const std::vector<uint32_t>& numbers) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const uint32_t number : numbers) Enqueue(number, false);
  StartThreads();
}

Status PageFetcher::Await(uint32_t number) {
  std::unique_lock<std::mutex> lock(mutex_);
  Enqueue(number, true);
  StartThreads();
  if (threads_.empty()) {
    const FetchGroup fetch = connect_();
    while (pending_.contains(number) && !queue_.empty()) FetchSome(lock, fetch);
  }
  done_.wait(lock, [&] { return !pending_.contains(number); });
  return last_failure_;
}

void PageFetcher::Drain() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (const uint32_t number : queue_) pending_.erase(number);
  queue_.clear();
  done_.wait(lock, [&] { return pending_.empty(); });
}

void PageFetcher::Work() {
  const FetchGroup fetch = connect_();
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    work_.wait(lock, [&] { return ends_ || !queue_.empty(); });
    if (ends_) return;
    FetchSome(lock, fetch);
  }
}

void PageFetcher::FetchSome(std::unique_lock<std::mutex>& lock, const FetchGroup& fetch) {
  const size_t count = std::min(queue_.size(), kMostInGroup);
  const auto end = queue_.begin() + static_cast<ptrdiff_t>(count);
  const std::vector<uint32_t> group(queue_.begin(), end);
  queue_.erase(queue_.begin(), end);
  lock.unlock();
  Status fetched;
  try {
    fetched = fetch(group);
  } catch (const std::bad_alloc&) {
    fetched = Status::NotEnoughMemory();
  }
  lock.lock();
  if (!fetched.ok()) last_failure_ = std::move(fetched);
  for (const uint32_t number : group) pending_.erase(number);
  done_.notify_all();
}

}  // namespace recall
