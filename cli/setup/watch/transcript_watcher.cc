// Captures sessions again whenever their transcripts change.
//
//   directories of transcripts --> watches --> events --> a pause --> Database::Capture
//                                                  every --poll, too -------'
//
// Problem. Agents write to transcripts while they work, in directories that appear with the first
// session of a day or of a project. An event must not be missed between a look at the directories
// and the watch of them, and an agent that writes all the time must not keep the machine busy.
//
// Idea. An event only says that something has changed. A capture opens no transcript whose size and
// time are the same, so all of them are looked at again. Before each capture the directories that
// exist then are watched: what appears later in them is an event, what was there is found by the
// capture. Directories whose parents do not exist yet, and file systems without events, are found
// by the captures of --poll.
//
// Cost: a capture with nothing new (20 ms for a thousand transcripts) for each pause in the events,
// at most one in two seconds, and for each --poll.

#include "cli/setup/watch/transcript_watcher.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/options/settings/absolute_path.h"
#include "cli/setup/watch/polled_directories.h"
#include "cli/setup/watch/watched_paths.h"
#include "query/memory/sessions/capture_places.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

constexpr int64_t kRetryMicros = 1'000'000;

bool HasChanged(const CaptureReport& report) {
  return report.captured + report.grown + report.refreshed + report.linked > 0;
}

std::set<std::string> FailuresOf(const CaptureReport& report) {
  std::set<std::string> failures(report.warnings.begin(), report.warnings.end());
  for (const CaptureFailure& failure : report.failed) {
    failures.insert(failure.path + ": " + failure.reason);
  }
  return failures;
}

}  // namespace

TranscriptWatcher::TranscriptWatcher(Database* database, TranscriptWatchOptions options,
                                     TranscriptWatchObserver observer)
    : database_(database),
      options_(std::move(options)),
      observer_(std::move(observer)),
      store_(AbsolutePath(database->path()).value_or(database->path())),
      watches_(options_.events ? std::move(options_.events) : OpenDirectoryEvents()),
      pending_(options_.timing) {}

Result<std::unique_ptr<TranscriptWatcher>> TranscriptWatcher::Make(
    Database* database, TranscriptWatchOptions options, TranscriptWatchObserver observer) {
  std::unique_ptr<TranscriptWatcher> watcher(
      new TranscriptWatcher(database, std::move(options), std::move(observer)));
  if (!watcher->stop_.is_open()) {
    return Fail(Status::IoError("the system has no further file descriptor"));
  }
  for (std::string& path : watcher->options_.capture.paths) {
    RECALL_ASSIGN(path, AbsolutePath(path));
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) watcher->named_files_.insert(path);
  }
  return watcher;
}

Status TranscriptWatcher::Run() {
  pending_.NoteEverything(SteadyMicros() - options_.timing.most_micros);
  next_poll_ = SteadyMicros() + options_.poll_micros;
  while (WaitForWork()) {
    ReadEvents();
    const int64_t now = SteadyMicros();
    if (now >= next_poll_) pending_.NoteEverything(now - options_.timing.most_micros);
    if (pending_.due().value_or(now + 1) <= now) RECALL_TRY(CaptureChanges());
  }
  return {};
}

void TranscriptWatcher::Stop() {
  stop_.Wake();
  database_->Cancel();
}

// Returns: false after Stop.
bool TranscriptWatcher::WaitForWork() {
  const int64_t until = std::min(pending_.due().value_or(INT64_MAX), next_poll_);
  const int64_t micros = std::clamp<int64_t>(until - SteadyMicros(), 0, int64_t{3600} * 1'000'000);
  pollfd polled[] = {{stop_.descriptor(), POLLIN, 0}, {watches_.descriptor(), POLLIN, 0}};
  ::poll(polled, 2, static_cast<int>((micros + 999) / 1000));
  return (polled[0].revents & POLLIN) == 0;
}

void TranscriptWatcher::ReadEvents() {
  const DirectoryWatches::Events events = watches_.Read();
  const int64_t now = SteadyMicros();
  if (events.lost) pending_.NoteEverything(now);
  for (const WatchedChange& change : events.changes) {
    if (Concerns(change.path)) pending_.Note(change.path, now);
  }
}

// The directories of projects have many other files, and one may hold the store.
bool TranscriptWatcher::Concerns(const std::string& path) const {
  if (path.starts_with(store_.path())) return false;
  const std::string directory = ParentPath(path);
  const auto& projects = options_.capture.places.projects;
  const bool in_project =
      options_.capture.paths.empty() && std::ranges::find(projects, directory) != projects.end();
  if (in_project && BaseName(path) == kAiderTranscript) return true;
  return named_files_.contains(path) || directories_.contains(directory) ||
         directories_.contains(path);
}

std::set<std::string> TranscriptWatcher::Directories() const {
  std::set<std::string> directories;
  const CaptureRequest& request = options_.capture;
  if (request.paths.empty()) {
    for (std::string& directory : TranscriptDirectories(request.places, request.agents)) {
      directories.insert(std::move(directory));
    }
  }
  for (const std::string& path : request.paths) {
    for (std::string& directory : DirectoriesBelow(path)) directories.insert(std::move(directory));
  }
  return directories;
}

void TranscriptWatcher::WatchDirectories() {
  directories_ = Directories();
  std::set<std::string> wanted = directories_;
  if (options_.capture.paths.empty()) {
    const auto& projects = options_.capture.places.projects;
    wanted.insert(projects.begin(), projects.end());
  }
  for (const std::string& file : named_files_) wanted.insert(ParentPath(file));
  for (const std::string& directory : watches_.WatchedBelow("/")) {
    if (!wanted.contains(directory)) watches_.Forget(directory);
  }
  watched_ = polled_ = 0;
  for (const std::string& directory : wanted) {
    const auto outcome = ChangesWithoutEvents(directory) ? DirectoryWatches::Outcome::kRefused
                                                         : watches_.Watch(directory);
    if (outcome == DirectoryWatches::Outcome::kGone) continue;
    ++watched_;
    if (outcome != DirectoryWatches::Outcome::kWatched) ++polled_;
  }
}

Status TranscriptWatcher::CaptureChanges() {
  RECALL_TRY(store_.Check("recall capture --watch"));
  WatchDirectories();
  pending_.Take();
  next_poll_ = SteadyMicros() + options_.poll_micros;
  auto report =
      database_->Capture(options_.capture, ready_ ? CaptureProgressFn() : observer_.on_progress);
  if (!report) {
    const Status& error = report.error();
    if (error.code() == StatusCode::kCancelled) return {};
    const bool lasting = error.code() == StatusCode::kCorruption ||
                         error.code() == StatusCode::kUnsupported ||
                         (!ready_ && error.code() != StatusCode::kBusy);
    if (lasting) return error;
    const int64_t now = SteadyMicros();
    pending_.NoteEverything(now);
    pending_.HoldUntil(now + kRetryMicros);
    std::string problem(error.message());
    if (problem != last_problem_ && observer_.on_problem) observer_.on_problem(problem);
    last_problem_ = std::move(problem);
    return {};
  }
  if (report->cancelled) return {};
  last_problem_.clear();
  std::set<std::string> failures = FailuresOf(*report);
  const bool new_failures = !std::ranges::includes(failed_, failures);
  failed_ = std::move(failures);
  if ((!ready_ || HasChanged(*report) || new_failures) && observer_.on_capture) {
    observer_.on_capture(*report);
  }
  if (!ready_ && observer_.on_ready) observer_.on_ready(watched_, polled_);
  ready_ = true;
  return {};
}

}  // namespace recall
