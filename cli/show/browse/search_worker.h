#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/show/browse/browse_state.h"
#include "query/database/database.h"

namespace recall {

// The parts of a request that the settings or a view decide; the user types the rest.
struct SearchPreset {
  std::string view;            // "": none
  Result<SearchRequest> like;  // of all questions, apart from text and filter; or why there is none
};

// The filter that is satisfied if both are; "" is satisfied by all.
std::string BothFilters(const std::string& a, const std::string& b);

// Answers questions on a thread of its own, one at a time. Only the last question counts: a new one
// cancels the one before. All functions are for one thread.
class SearchWorker final {
 public:
  using Open = std::function<Result<std::unique_ptr<Database>>()>;

  // Opens the store by `open`, on the thread, and again after each cancelled question. `presets`:
  // those that questions name. `on_answer` is called on the thread when Take has something to
  // return.
  // Errors: LimitExceeded if the system cannot start a thread.
  static Result<std::unique_ptr<SearchWorker>> Start(Open open, std::vector<SearchPreset> presets,
                                                     std::function<void()> on_answer);
  // Cancels, and waits for the end of the thread.
  ~SearchWorker();
  SearchWorker(const SearchWorker&) = delete;
  SearchWorker& operator=(const SearchWorker&) = delete;

  void Ask(BrowseQuestion question);
  void Cancel();
  std::optional<BrowseAnswer> Take();

 private:
  SearchWorker(Open open, std::vector<SearchPreset> presets, std::function<void()> on_answer);
  void Run();
  Status OpenDatabase();
  BrowseAnswer Answer(const BrowseQuestion& question);
  // The newest documents that satisfy the filter of a request, as hits without lines and score.
  Result<SearchResponse> List(const SearchRequest& request);
  // The hits of the first screen: what is due, and the newest notes, documents and sessions.
  Result<SearchResponse> FirstScreen(const SearchRequest& request, BrowseAnswer* answer);
  // Of the documents of the hits, as of the answer; none if they cannot be read.
  NoteStates StatesOf(const SearchResponse& found, const std::optional<UnixNanos>& as_of);
  void CancelRunning();  // requires: mutex_ is held

  const Open open_;
  const std::vector<SearchPreset> presets_;
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
