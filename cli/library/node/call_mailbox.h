#pragma once

// Calls of stores that wait, run and have ended, on their way between the thread of JavaScript and
// the threads of the stores.

#include <node_api.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/library/node/store_call.h"

namespace recall {

// What recall_progress says, kept.
struct KeptProgress {
  std::string command;
  std::string stage;
  int64_t done = 0;
  int64_t total = 0;
};

struct PendingCall {
  explicit PendingCall(const LoadedLibrary* library) : outcome(library) {}

  uint32_t id = 0;
  CallRequest request;
  CallOutcome outcome;
  std::atomic<bool> aborted = false;
  napi_ref callback = nullptr;       // of JavaScript: (error, value)
  napi_ref listener = nullptr;       // of JavaScript, for progress; null: none
  std::optional<KeptProgress> news;  // that is not told yet; the mailbox guards it
};

// Thread-safe, but for Take.
class CallMailbox final {
 public:
  // Something of a call: that it has ended, or else that it has news.
  struct Letter {
    std::unique_ptr<PendingCall> ended;
    PendingCall* proceeds = nullptr;
  };

  // `wake` is called on the thread of a store when the mailbox has something for JavaScript.
  explicit CallMailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  // Of several pieces of news that JavaScript has no time for, the last one is told.
  void Tell(PendingCall* call, const recall_progress& progress);
  void Deliver(std::unique_ptr<PendingCall> call);
  // What has come since, in order; the news of a call before its end.
  std::vector<Letter> Take();
  KeptProgress TakeNews(PendingCall* call);

 private:
  void Add(Letter letter);

  const std::function<void()> wake_;
  std::mutex mutex_;
  std::vector<Letter> letters_;
};

}  // namespace recall
