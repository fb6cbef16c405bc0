#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "cli/browse/browse_state.h"
#include "query/database.h"

namespace recall {

// Answers questions on a thread of its own, one at a time. Only the last question counts: a new one
// cancels the one before. All functions are for one thread.
class SearchWorker final {
 public:
  using Open = std::function<Result<std::unique_ptr<Database>>()>;

  // Opens the store by `open`, on the thread, and again after each cancelled question. `like`: the
  // request of all questions apart from text and filter. `on_answer` is called on the thread when
  // Take has something to return.
  // Errors: LimitExceeded if the system cannot start a thread.
  static Result<std::unique_ptr<SearchWorker>> Start(Open open, SearchRequest like,
                                                     std::function<void()> on_answer);
  // Cancels, and waits for the end of the thread.
  ~SearchWorker();
  SearchWorker(const SearchWorker&) = delete;
  SearchWorker& operator=(const SearchWorker&) = delete;

  void Ask(BrowseQuestion question);
  void Cancel();
  std::optional<BrowseAnswer> Take();

 private:
  SearchWorker(Open open, SearchRequest like, std::function<void()> on_answer);
  void Run();
  Status OpenDatabase();
  BrowseAnswer Answer(const BrowseQuestion& question);
  void CancelRunning();  // requires: mutex_ is held

  const Open open_;
  const SearchRequest like_;
  const std::function<void()> on_answer_;

  std::unique_ptr<Database> database_;  // of the thread

  std::mutex mutex_;  // guards the following
  std::condition_variable changed_;
  std::optional<BrowseQuestion> waiting_;
  std::optional<BrowseAnswer> answer_;
  Database* running_ = nullptr;
  bool cancelled_ = false;  // the question that is being answered
  bool ends_ = false;

  std::optional<std::thread> thread_;
};

}  // namespace recall
