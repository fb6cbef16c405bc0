#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "cli/setup/watch/directory_watches.h"
#include "cli/setup/watch/pending_changes.h"
#include "cli/setup/watch/store_file.h"
#include "query/database/database.h"
#include "storage/base/wake_pipe.h"

namespace recall {

struct TranscriptWatchOptions {
  CaptureRequest capture;
  // An agent that works writes to its transcript all the time, and each capture of a session makes
  // a version of it. So a capture waits for a pause.
  PendingChanges::Timing timing = {.quiet_micros = 2'000'000, .most_micros = 60'000'000};
  int64_t poll_micros =
      DefaultPollMicros();                  // how often transcripts are looked for without an event
  std::unique_ptr<DirectoryEvents> events;  // default: those of the system
};

// Called by Run, on its thread. Each may be empty.
struct TranscriptWatchObserver {
  // The first capture is over, and changes are awaited: the number of directories, and how many of
  // them have no events and are looked at by each poll.
  std::function<void(int64_t directories, int64_t polled)> on_ready;
  // A capture has changed the store, or has failures that the one before had not.
  std::function<void(const CaptureReport& report)> on_capture;
  // A capture failed, and is tried again.
  std::function<void(const std::string& problem)> on_problem;
  CaptureProgressFn on_progress;  // of the first capture
};

// Captures sessions again whenever their transcripts change.
class TranscriptWatcher final {
 public:
  // The database must outlive the watcher; nobody else uses it during Run. Errors: IoError.
  static Result<std::unique_ptr<TranscriptWatcher>> Make(Database* database,
                                                         TranscriptWatchOptions options,
                                                         TranscriptWatchObserver observer);

  // Returns after Stop. Errors: those of the first Database::Capture, but not Busy; Corruption and
  // Unsupported of a later one; IoError if the file of the store is removed or replaced.
  Status Run();

  // Ends Run soon; what is not captured is by the next watcher. Thread-safe and async-signal-safe.
  void Stop();
  // What is written to it ends Run when the current capture has ended.
  int stop_descriptor() const { return stop_.wake_descriptor(); }

 private:
  TranscriptWatcher(Database* database, TranscriptWatchOptions options,
                    TranscriptWatchObserver observer);
  std::set<std::string> Directories() const;
  void WatchDirectories();
  bool WaitForWork();
  void ReadEvents();
  bool Concerns(const std::string& path) const;
  Status CaptureChanges();

  Database* database_;
  TranscriptWatchOptions options_;
  TranscriptWatchObserver observer_;
  StoreFile store_;
  WakePipe stop_;
  DirectoryWatches watches_;
  PendingChanges pending_;
  std::set<std::string> directories_;  // all files in them concern
  std::set<std::string> named_files_;  // absolute; only these of their directories do
  std::set<std::string> failed_;       // by the last capture
  std::string last_problem_;
  int64_t watched_ = 0;  // directories
  int64_t polled_ = 0;   // of them, those without events
  int64_t next_poll_ = 0;
  bool ready_ = false;
};

}  // namespace recall
