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

// Fetches pages in groups, on a few threads.
//
// The problem: a question needs some hundred pages of many thousand, most of which are known only
// when others have been read. A round trip for each would take seconds.
//
// The idea: readers request pages before they need them, as they do for a disk. A thread fetches
// all pages that are requested when it becomes free, up to kMostInGroup, in one round trip. If the
// system refuses to start threads, the thread that waits for a page fetches it.
//
// Thread-safe.
class PageFetcher final {
 public:
  static constexpr size_t kMostInGroup = 64;
  static constexpr size_t kMostThreads = 4;

  // Fetches a group of pages and stores them. Each thread gets its own from Connect.
  using FetchGroup = std::function<Status(const std::vector<uint32_t>& numbers)>;
  using Connect = std::function<FetchGroup()>;

  explicit PageFetcher(Connect connect) : connect_(std::move(connect)) {}
  // Waits for the groups that are being fetched, and drops all other requests.
  ~PageFetcher();
  PageFetcher(const PageFetcher&) = delete;
  PageFetcher& operator=(const PageFetcher&) = delete;

  // Requests the pages that are not requested yet.
  void Request(const std::vector<uint32_t>& numbers);
  // Moves a page to the front of the queue, and waits until fetching it has ended. The caller must
  // test whether the page is there. Returns the last error of FetchGroup, which may be that of
  // another page.
  Status Await(uint32_t number);
  // Drops the requests whose fetching has not begun, and waits for the others.
  void Drain();

 private:
  void Enqueue(uint32_t number, bool first);  // requires mutex_
  void StartThreads();                        // requires mutex_
  void Work();
  // Fetches the first pages of the queue. Requires: `lock` holds mutex_; it is released meanwhile.
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
