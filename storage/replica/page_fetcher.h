#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// Fetches pages in groups, by a few threads.
//
// The problem: a question needs some hundred pages of many thousand, most of which are known only
// when others have been read. A round trip for each would take seconds.
//
// The idea: readers say early which pages they will need, as they do for a disk. A thread takes all
// pages that were requested until then, up to kMostInGroup, in one round trip. If the system
// refuses threads, the one that waits for a page fetches.
//
// Thread-safe.
class PageFetcher final {
 public:
  static constexpr size_t kMostInGroup = 64;
  static constexpr size_t kMostThreads = 4;

  // Fetches a group of pages and stores them. Each thread makes one with `connect`.
  using FetchGroup = std::function<Status(const std::vector<uint32_t>& numbers)>;
  using Connect = std::function<FetchGroup()>;

  explicit PageFetcher(Connect connect) : connect_(std::move(connect)) {}
  // Waits for requests under way; others are dropped.
  ~PageFetcher();
  PageFetcher(const PageFetcher&) = delete;
  PageFetcher& operator=(const PageFetcher&) = delete;

  // Requests pages, unless they are requested already.
  void Request(const std::vector<uint32_t>& numbers);
  // Requests a page before all others, and waits until it was fetched or that failed, which the
  // caller must find out. Returns: the last error of FetchGroup, perhaps of another page.
  Status Await(uint32_t number);
  // Drops the requests that have not been begun, and waits for the others.
  void Drain();

 private:
  void Enqueue(uint32_t number, bool first);  // requires mutex_
  void StartThreads();                        // requires mutex_
  void Work();
  // Fetches the first pages of the queue. `lock` holds mutex_, but for the fetching.
  void FetchSome(std::unique_lock<std::mutex>& lock, const FetchGroup& fetch);

  const Connect connect_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable done_;
  std::deque<uint32_t> queue_;
  std::set<uint32_t> pending_;  // in the queue, or being fetched
  Status last_failure_;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace recall
