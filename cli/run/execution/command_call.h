#pragma once

// Runs command lines within a program that answers many of them, such as a server. An answer has
// the same bytes as that of a process of its own.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/settings/store_locator.h"
#include "cli/run/command/command.h"
#include "cli/run/execution/answer_cache.h"

namespace recall {

class LentConnection;

struct CommandCall {
  const CommandInfo* command = nullptr;
  // Flags and words, without the name of the command. Texts are taken literally: "-" is not
  // standard input, and "@x" names no file.
  std::vector<std::string> args;
  bool anew = false;  // do not answer from the cache
  // As in CommandContext, for programs that this code is a part of.
  std::optional<std::string_view> lines = {};
  std::function<void(SearchResponse)> take_hits = {};
};

struct CallAnswer {
  ExitCode exit = ExitCode::kDone;
  std::string output;                   // JSON, also for an error
  std::optional<Failure> failure = {};  // the error in it
};

// The command line of another process, with all that its answer depends on.
struct ProcessCall {
  CommandCall call;
  OutputMode error_mode = OutputMode::kText;  // as in ReportFailure
  bool lean_from_environment = false;
  bool stable = false;
  bool pretty_json = false;
  StoreLocation store;                  // without programs
  std::vector<std::string> warnings{};  // of finding it
  std::string directory;                // the working directory
  TextStyle out_style;
  TextStyle error_style;
};

// What the process is to print, and its exit code.
struct ProcessAnswer {
  ExitCode exit = ExitCode::kDone;
  RecordedOutput output;
};

// Stages of a call besides those of the search (search_types.h).
inline constexpr std::string_view kCacheHitStage = "cache.hit";
inline constexpr std::string_view kDoneStage = "done";

// A stage of a call begins or ends, or an ingest proceeds. The last one of each call that reads is
// kDoneStage, as an end.
struct CallEvent {
  uint64_t call = 0;  // its number in this process, from 1
  std::string_view command;
  StageEvent stage;
  const AddProgress* progress = nullptr;  // of `add`, instead of a stage
};

// Called on the thread of the call. Must be quick.
using CallListener = std::function<void(const CallEvent&)>;

// What all calls have in common.
struct CallSettings {
  LocateRequest locate;
  std::string scope;                        // as in OpenOptions
  std::shared_ptr<AnswerCache> cache = {};  // of all runners with this scope; null: none
  CallListener on_event = {};
  bool hide_private = false;                    // as in OpenOptions
  std::string sources_below = {};               // as in OpenOptions
  std::vector<std::string> check_within = {};   // as SourceCheck::within
  bool quiet = false;                           // nothing is written to standard error
  std::optional<std::string> program = {};      // as CommandContext::program
  std::shared_ptr<LentConnection> lender = {};  // of calls that read; as in OpenOptions
};

// Runs calls one after the other. It keeps the store open between calls that read; a call that
// writes opens it for itself. Not thread-safe, except Cancel.
class CallRunner final {
 public:
  explicit CallRunner(CallSettings settings) : settings_(std::move(settings)) {}

  // Requires: the command does not use standard input, and has an answer in JSON.
  CallAnswer Run(const CommandCall& call);
  // Runs a command that reads for another process. Returns: nullopt if that process should do it
  // itself: it failed for a reason that may not be there for it, or printed too much.
  std::optional<ProcessAnswer> RunForProcess(const ProcessCall& call);
  // Ends the present call, and all further ones until Renew, soon and with the error `cancelled`.
  // Async-signal-safe.
  void Cancel();
  void Renew();

 private:
  // Identifies the content of a file, or says that there is none.
  struct FileStamp {
    uint64_t device = 0;
    uint64_t inode = 0;
    uint64_t bytes = 0;
    int64_t changed_nanos = 0;
    bool operator==(const FileStamp&) const = default;
  };
  // Where the open store is, and the settings files that were read to find it.
  struct Place {
    std::vector<std::pair<std::string, FileStamp>> settings_files;
    uint64_t device = 0;  // of the store
    uint64_t inode = 0;
    uint32_t losses = 0;  // Database::losses
  };

  // Answers without the cache. `cache_state`: for `explain.cache.query`.
  CallAnswer Answer(const CommandCall& call, std::string_view cache_state);
  Result<ExitCode> Execute(Command& command, const FlagSet& flags, CommandContext& context);
  // Opens the store for a command that needs it open, and runs it. Requires: `context` has the
  // settings of `location`.
  Result<ExitCode> RunInStore(Command& command, const StoreLocation& location,
                              CommandContext& context);
  // The open store for a command that reads. Errors: those of Database::Open.
  Result<Database*> OpenForReading(const StoreLocation& location, const Config& config);
  // The key of the answer to a call; nullopt if answers of this call are not kept, or the store is
  // not open yet.
  std::optional<std::string> CacheKey(const CommandCall& call);
  // True if the file at `path` is the store that is open.
  bool IsOpen(const std::string& path) const;
  void Tell(const StageEvent& stage) const;
  // Makes `database` the one that Cancel ends. Returns: false if the calls are already cancelled.
  bool SetRunning(Database* database);
  // Cancels the database of the present call, unless another thread, or the function that a signal
  // has interrupted, holds it, which then does so.
  void CancelRunning();
  static FileStamp StampOf(const std::string& path);

  CallSettings settings_;
  std::unique_ptr<Database> reader_;
  OpenOptions reader_options_;

  Place place_;  // of reader_
  uint64_t call_ = 0;
  std::string_view command_;  // of the present call
  bool warned_ = false;       // by the server of the store, in the present call

  std::atomic<bool> held_ = false;  // guards running_; held for some instructions
  Database* running_ = nullptr;     // of the present call
  std::atomic<bool> cancelled_ = false;
};

}  // namespace recall
