#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/setup/watch/directory_watches.h"
#include "cli/setup/watch/pending_changes.h"
#include "cli/setup/watch/polled_directories.h"
#include "cli/setup/watch/store_file.h"
#include "query/database/database.h"
#include "storage/base/wake_pipe.h"

namespace recall {

struct WatchOptions {
  AddRequest add;  // its paths are watched; `sync`, `only` and `on_directory` are the watcher's own
  PendingChanges::Timing timing;
  int64_t poll_micros = DefaultPollMicros();  // how often directories without events are listed
  bool poll_only = false;                     // watch no directory, list all of them
  // Absolute paths whose events are ignored, because adding documents changes these files. Those of
  // the store need not be named.
  std::vector<std::string> own_files;
  std::unique_ptr<DirectoryEvents> events;  // default: those of the system
};

// Called by Run, on its thread. Each may be empty.
struct WatchObserver {
  // The paths are in the store, and changes are awaited: the number of directories, and how many of
  // them are polled.
  std::function<void(int64_t directories, int64_t polled)> on_ready;
  // Changes were committed, or files could not be read.
  std::function<void(const AddReport& report)> on_batch;
  // Something that delays changes; the watcher goes on by itself.
  std::function<void(const std::string& problem)> on_problem;
  AddProgressFn on_progress;  // of the first add
};

// Keeps a store up to date with the files below some paths: adds all of them, then what changes,
// and removes documents whose files are deleted.
class Watcher final {
 public:
  // The database must outlive the watcher; nobody else uses it during Run. Errors: NotFound if a
  // path does not exist.
  static Result<std::unique_ptr<Watcher>> Make(Database* database, WatchOptions options,
                                               WatchObserver observer);
  ~Watcher();

  // Returns after Stop. Errors: those of the first Database::Add, but not Busy; Corruption and
  // Unsupported of a later one; IoError if the file of the store is removed or replaced.
  Status Run();

  // Ends Run soon. What is not committed is added by the next watcher. Thread-safe and
  // async-signal-safe.
  void Stop();
  // What is written to it ends Run when the current add has ended.
  int stop_descriptor() const { return stop_.wake_descriptor(); }

 private:
  struct Root {
    std::string path;
    bool is_directory = true;
    std::optional<FileId> id;
    bool lost = false;  // it does not exist, or its file system is unmounted: its documents stay
    std::optional<FileId> not_this;  // a lost root is back when it is not this directory
  };
  using Batch = PendingChanges::Batch;

  Watcher(Database* database, WatchOptions options, WatchObserver observer);
  Status FindRoots();
  void WatchAround(const Root& root);

  bool WaitForWork();
  void ReadEvents();
  void Interpret(const WatchedChange& change);
  void PollDirectories();
  void CheckRoots();

  Status AddBatch();
  Status TakeError(const Status& error, const Batch& batch);
  void TakeReport(AddReport report, const Batch& batch);
  void ShowReady();
  void EnterDirectory(const std::string& directory, const Batch& batch);
  void WatchDirectory(const std::string& directory);
  void ForgetUnentered(const Batch& batch);
  void ForgetBelow(const std::string& path);
  std::string FileOf(std::string_view doc_path) const;
  void Say(const std::string& problem) const;

  Database* database_;
  WatchOptions options_;
  WatchObserver observer_;
  std::optional<StoreFile> store_;
  std::string store_directory_;  // absolute
  WakePipe stop_;
  DirectoryWatches watches_;
  PolledDirectories polled_;
  PendingChanges pending_;
  std::vector<Root> roots_;
  std::set<std::string> own_files_;
  // Directories that are watched although no walk enters them: those of files that are roots, and
  // those above roots whose ignore files apply.
  std::set<std::string> around_;
  std::set<std::string> entered_;  // by the current or the last add
  // What cannot be read or watched, and what has been said about it.
  struct Problems {
    std::set<std::string> unread;  // files that could not be read; tried again with each poll
    std::set<std::string> said;
    int64_t refused = 0;  // directories without a watch in the current add
    bool limit_said = false;
  };
  Problems problems_;
  bool ready_ = false;
  int64_t errors_in_a_row_ = 0;
  int64_t next_poll_ = 0;
  int64_t next_root_check_ = 0;
};

}  // namespace recall
