#pragma once

// A store that is open in a program of others: the commands of `recall`, one at a time.

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/library/library_options.h"
#include "cli/library/recall.h"
#include "cli/run/execution/command_call.h"
#include "storage/base/hosted.h"
#include "storage/base/result.h"

namespace recall {

// What a function of the library adds to the request of its caller.
struct LibraryRequest {
  std::string_view command;
  // A JSON object, or "". These members have priority over its own.
  std::string_view body = {};
  std::vector<std::pair<std::string_view, std::string>> texts = {};
  std::optional<int64_t> budget = {};
  std::vector<std::string> note = {};  // words of `save`
  std::vector<std::string> flags = {};
  std::string within = {};  // a filter that holds in addition to that of `body`
  std::optional<std::string_view> lines = {};
  std::function<void(SearchResponse)> take_hits = {};
};

// Thread-safe, if the options say so; else a second thread gets an error.
class LibraryStore final {
 public:
  // Opens the store, or makes one. Returns: the answer of the command that failed if `store` stays
  // null.
  static Result<CallAnswer> Open(LibraryOptions options, std::unique_ptr<LibraryStore>* store);

  // Errors: InvalidArgument for a request that is no command line, and for a call that must not be
  // made now. Those of the command are in its answer.
  Result<CallAnswer> Call(const LibraryRequest& request);
  // Async-signal-safe.
  void Cancel() { runner_.Cancel(); }
  // Errors: those of a call that must not be made now.
  Status SetProgress(int (*progress)(const recall_progress*, void*), void* user);

 private:
  class Turn;

  explicit LibraryStore(LibraryOptions options);

  CallAnswer Run(const CommandInfo& command, std::vector<std::string> args);
  void Tell(const CallEvent& event);

  const bool restricted_;  // some documents are hidden
  const bool serialized_;
  const bool stable_;
  std::mutex mutex_;                          // held during a call, if serialised
  std::atomic<std::thread::id> caller_ = {};  // the thread of the present call
  int (*progress_)(const recall_progress*, void*) = nullptr;
  void* progress_user_ = nullptr;
  const PlainLocale* plain_ = nullptr;  // of the present call
  CallRunner runner_;
};

}  // namespace recall

struct recall_store {
  std::unique_ptr<recall::LibraryStore> library;
};
