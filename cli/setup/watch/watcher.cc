#include "cli/setup/watch/watcher.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ranges>

#include "cli/options/settings/absolute_path.h"
#include "cli/setup/watch/watched_paths.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

// One thread, one loop:
//
//   events, polls   ->  paths  ->  PendingChanges  ->  Database::Add (sync, only)  ->  observer
//                                                          |  each directory that it enters
//                                                          '-> a watch, before it is listed
//
// Events only say where to look: they name a path, and the add decides by its own rules what that
// means. The same walk that finds the files sets the watches, so both agree about ignored
// directories, and no file can appear between the two: it is listed, or its event comes later.
//
// No change is lost, because
//   - a path is taken from the pending ones before it is read, so a change while it is read is
//     pending again;
//   - a path that is no longer watched is pending, or an add has just found that it is ignored or
//     gone (ForgetUnentered);
//   - after an overflow of the queue everything is pending;
//   - a batch whose add fails is pending again, and files that could not be read are tried again.
//
// Events are read during an add, too, so that the system's queue is short.

constexpr int64_t kSecond = 1'000'000;
constexpr int64_t kLongestDelay = 60 * kSecond;

// The files that change what is found in their directory, and below it.
bool IsRuleName(std::string_view name) {
  return name == ".gitignore" || name == ".recallignore" || name == ".git";
}

std::string Seconds(int64_t micros) {
  return std::to_string((micros + kSecond - 1) / kSecond) + " s";
}

}  // namespace

Watcher::Watcher(Database* database, WatchOptions options, WatchObserver observer)
    : database_(database),
      options_(std::move(options)),
      observer_(std::move(observer)),
      watches_(options_.events ? std::move(options_.events) : OpenDirectoryEvents()),
      pending_(options_.timing),
      own_files_(options_.own_files.begin(), options_.own_files.end()) {}

Watcher::~Watcher() = default;

Result<std::unique_ptr<Watcher>> Watcher::Make(Database* database, WatchOptions options,
                                               WatchObserver observer) {
  std::unique_ptr<Watcher> watcher(new Watcher(database, std::move(options), std::move(observer)));
  if (!watcher->stop_.is_open()) {
    return Fail(Status::IoError("the system has no further file descriptor"));
  }
  RECALL_ASSIGN(std::string store, AbsolutePath(database->path()));
  watcher->store_.emplace(std::move(store));
  watcher->store_directory_ = ParentPath(watcher->store_->path());
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    watcher->own_files_.insert(watcher->store_->path() + suffix);
  }
  RECALL_TRY(watcher->FindRoots());
  return watcher;
}

Status Watcher::FindRoots() {
  std::set<std::string> seen;
  for (const std::string& given : options_.add.paths) {
    RECALL_ASSIGN(std::string path, AbsolutePath(given));
    if (!seen.insert(path).second) continue;
    struct stat info;
    if (::stat(path.c_str(), &info) != 0) {
      return Status::NotFound("no such file or directory: " + given, "nothing was added");
    }
    roots_.push_back({std::move(path), S_ISDIR(info.st_mode), FileIdOf(given), false, {}});
  }
  return {};
}

// The directories above a root that a walk never lists.
void Watcher::WatchAround(const Root& root) {
  std::vector<std::string> parents;  // innermost first
  size_t used = root.is_directory ? 0 : 1;
  // Ignore files apply up to the top of the git repository, or of the store (glob/ignore_files.h).
  bool repository_found = FileIdOf(WithSlash(root.path) + ".git").has_value();
  for (std::string at = root.path; at != "/";) {
    at = ParentPath(at);
    parents.push_back(at);
    const bool repository = !repository_found && FileIdOf(WithSlash(at) + ".git").has_value();
    repository_found = repository_found || repository;
    if (repository || at == store_directory_) used = std::max(used, parents.size());
  }
  for (size_t i = 0; i < used; ++i) {
    around_.insert(parents[i]);
    // What was listed before is compared with what is there at the next poll.
    if (!polled_.Contains(parents[i])) WatchDirectory(parents[i]);
  }
}

Status Watcher::Run() {
  const int64_t start = SteadyMicros();
  next_poll_ = start + options_.poll_micros;
  if (watches_.descriptor() < 0 && !options_.poll_only) {
    Say(std::string(watches_.missing()) + "; all directories are polled every " +
        Seconds(options_.poll_micros));
  }
  pending_.NoteEverything(start - options_.timing.most_micros);
  while (WaitForWork()) {
    ReadEvents();
    const int64_t now = SteadyMicros();
    if (next_root_check_ > 0 && now >= next_root_check_) CheckRoots();
    if (now >= next_poll_) PollDirectories();
    if (pending_.due().value_or(now + 1) <= now) RECALL_TRY(AddBatch());
  }
  return {};
}

void Watcher::Stop() {
  stop_.Wake();
  database_->Cancel();
}

// Returns: false after Stop.
bool Watcher::WaitForWork() {
  const int64_t until = std::min({pending_.due().value_or(INT64_MAX), next_poll_,
                                  next_root_check_ > 0 ? next_root_check_ : INT64_MAX});
  const int64_t micros = std::clamp<int64_t>(until - SteadyMicros(), 0, 3600 * kSecond);
  pollfd polled[] = {{stop_.descriptor(), POLLIN, 0}, {watches_.descriptor(), POLLIN, 0}};
  ::poll(polled, 2,
         static_cast<int>((micros + 999) / 1000));  // interrupted: the caller looks again
  return (polled[0].revents & POLLIN) == 0;
}

// ---- Changes
// -------------------------------------------------------------------------------------

void Watcher::ReadEvents() {
  const DirectoryWatches::Events events = watches_.Read();
  if (events.lost) {
    Say("the system's queue of events overflowed; everything is read again "
        "(fs.inotify.max_queued_events is its limit)");
    pending_.NoteEverything(SteadyMicros());
  }
  for (const WatchedChange& change : events.changes) Interpret(change);
}

void Watcher::Interpret(const WatchedChange& change) {
  if (own_files_.contains(change.path)) return;
  const int64_t now = SteadyMicros();
  const bool is_rule = IsRuleName(BaseName(change.path));
  const std::string path = is_rule ? ParentPath(change.path) : change.path;
  bool noted = false;
  for (Root& root : roots_) {
    if (change.unmounted && root.path == path) {
      root.lost = true;
      root.not_this = FileIdOf(path);
      next_root_check_ = now + kSecond;
      Say(path + " was unmounted; its documents stay, and it is read again when it is mounted");
    } else if (IsWithin(path, root.path)) {
      if (!noted) pending_.Note(path, now);
      noted = true;
    } else if (IsWithin(root.path, path)) {
      // A rule above the root, or the directory of a file.
      pending_.Note(root.path, now);
    }
  }
}

void Watcher::PollDirectories() {
  for (std::string& path : polled_.FindChanges()) Interpret({std::move(path), false});
  const int64_t now = SteadyMicros();
  for (const std::string& path : problems_.unread) pending_.Note(path, now);
  CheckRoots();
  next_poll_ = SteadyMicros() + options_.poll_micros;
}

// Notices roots that disappear, return, or become other directories.
void Watcher::CheckRoots() {
  const int64_t now = SteadyMicros();
  next_root_check_ = 0;
  for (Root& root : roots_) {
    const std::optional<FileId> id = FileIdOf(root.path);
    const bool was_lost = root.lost;
    if (!id && !was_lost) {
      root.lost = true;
      root.not_this.reset();
      ForgetBelow(root.path);
      Say(root.path +
          " does not exist any more; its documents stay, and it is read again when it is back");
    } else if (id && was_lost && id != root.not_this) {
      root.lost = false;
      pending_.Note(root.path, now);
      WatchAround(root);
    } else if (id && !was_lost && root.is_directory && id != root.id) {
      Say(root.path + " is another directory now; it is read again");
      pending_.Note(root.path, now);
    }
    if (id && !root.lost) root.id = id;
    if (root.lost) next_root_check_ = now + kSecond;
  }
}

// ---- Adding
// --------------------------------------------------------------------------------------

Status Watcher::AddBatch() {
  RECALL_TRY(store_->Check("recall watch"));
  if (ready_) CheckRoots();
  const Batch batch = pending_.Take();
  if (batch.everything) {
    for (const Root& root : roots_) WatchAround(root);
  }
  AddRequest request = options_.add;
  request.sync = true;
  // The time of a file may be the same although its event says that it has changed.
  request.mtime_only = options_.add.mtime_only && batch.everything;
  request.paths.clear();
  for (const Root& root : roots_) {
    if (!root.lost) request.paths.push_back(root.path);
  }
  if (request.paths.empty()) return {};
  if (!batch.everything) request.only = batch.paths;
  request.on_directory = [&](const std::string& directory) { EnterDirectory(directory, batch); };
  entered_.clear();
  problems_.refused = 0;
  auto report = database_->Add(request, [this](const AddProgress& progress) {
    ReadEvents();
    if (!ready_ && observer_.on_progress) observer_.on_progress(progress);
  });
  if (!report) return TakeError(report.error(), batch);
  if (report->cancelled) return {};
  TakeReport(std::move(*report), batch);
  return {};
}

Status Watcher::TakeError(const Status& error, const Batch& batch) {
  const StatusCode code = error.code();
  if (code == StatusCode::kCancelled) return {};
  if (code == StatusCode::kCorruption || code == StatusCode::kUnsupported) return error;
  if (!ready_ && code != StatusCode::kBusy) return error;
  const int64_t now = SteadyMicros();
  if (batch.everything) pending_.NoteEverything(now);
  for (const std::string& path : batch.paths) pending_.Note(path, now);
  // The add has waited for the other process already.
  const bool busy = code == StatusCode::kBusy;
  const int64_t delay =
      busy ? kSecond : std::min(kSecond << std::min<int64_t>(errors_in_a_row_++, 6), kLongestDelay);
  pending_.HoldUntil(now + delay);
  Say(std::string(error.message()) + "; trying again in " + Seconds(delay));
  return {};
}

void Watcher::TakeReport(AddReport report, const Batch& batch) {
  errors_in_a_row_ = 0;
  ForgetUnentered(batch);
  if (problems_.refused > 0 && !problems_.limit_said) {
    Say("the system allows no further watches, so " + std::to_string(polled_.size()) +
        (polled_.size() == 1 ? " directory is" : " directories are") + " polled every " +
        Seconds(options_.poll_micros) +
        "; `sysctl fs.inotify.max_user_watches=1048576` raises the limit");
  }
  problems_.limit_said = problems_.refused > 0 || (problems_.limit_said && !batch.everything);

  std::erase_if(problems_.unread, [&batch](const std::string& path) { return batch.Covers(path); });
  for (const AddFailure& failure : report.failures) problems_.unread.insert(FileOf(failure.path));
  if (problems_.unread.empty()) problems_.said.clear();
  std::erase_if(report.warnings, [this](const std::string& warning) {
    return warning.starts_with("cannot read ") && !problems_.said.insert(warning).second;
  });

  const int64_t changed = report.added + report.updated + report.refreshed + report.removed;
  if ((changed > 0 || !report.warnings.empty()) && observer_.on_batch) observer_.on_batch(report);
  if (!ready_) ShowReady();
  ready_ = true;
}

// Directories above the paths are watched for their ignore files only, and do not count.
void Watcher::ShowReady() {
  std::set<std::string> directories = entered_;
  for (const Root& root : roots_) {
    if (!root.is_directory) directories.insert(ParentPath(root.path));
  }
  const auto polled = std::ranges::count_if(
      directories, [this](const std::string& path) { return polled_.Contains(path); });
  if (observer_.on_ready) observer_.on_ready(static_cast<int64_t>(directories.size()), polled);
}

// Called before the directory is listed.
void Watcher::EnterDirectory(const std::string& directory, const Batch& batch) {
  entered_.insert(directory);
  if (batch.Covers(directory)) {
    WatchDirectory(directory);
  } else if (!watches_.Contains(directory) && !polled_.Contains(directory)) {
    // It is only on the way to a path of the batch, and should have been watched.
    WatchDirectory(directory);
    pending_.Note(directory, SteadyMicros());
  }
  if (entered_.size() % 64 == 0) ReadEvents();
}

void Watcher::WatchDirectory(const std::string& directory) {
  if (options_.poll_only || ChangesWithoutEvents(directory)) {
    watches_.Forget(directory);
    polled_.Watch(directory);
    return;
  }
  switch (watches_.Watch(directory)) {
    case DirectoryWatches::Outcome::kWatched:
    case DirectoryWatches::Outcome::kGone:
      polled_.Forget(directory);
      return;
    case DirectoryWatches::Outcome::kLimit:
      ++problems_.refused;
      break;
    case DirectoryWatches::Outcome::kRefused:
      break;
  }
  polled_.Watch(directory);
}

// Forgets the directories that the add no longer found: they are gone, or ignored.
void Watcher::ForgetUnentered(const Batch& batch) {
  const auto forget_below = [this](const std::string& path) {
    for (const auto& directories : {watches_.WatchedBelow(path), polled_.PolledBelow(path)}) {
      for (const std::string& directory : directories) {
        if (entered_.contains(directory) || around_.contains(directory)) continue;
        watches_.Forget(directory);
        polled_.Forget(directory);
      }
    }
  };
  if (batch.everything) forget_below("/");
  for (const std::string& path : batch.paths) forget_below(path);
}

void Watcher::ForgetBelow(const std::string& path) {
  watches_.ForgetBelow(path);
  for (const std::string& directory : polled_.PolledBelow(path)) polled_.Forget(directory);
}

// The file of a document whose file could not be read. Add prints the paths of files that a walk
// could not read as absolute ones.
std::string Watcher::FileOf(std::string_view doc_path) const {
  doc_path = doc_path.substr(0, doc_path.find("!/"));
  if (doc_path.starts_with('/')) return std::string(doc_path);
  std::string directory = store_directory_;
  if (options_.add.root || options_.add.prefix) {
    const Root& root = roots_.front();
    directory = options_.add.root   ? AbsolutePath(*options_.add.root).value_or(root.path)
                : root.is_directory ? root.path
                                    : ParentPath(root.path);
    const std::string prefix = options_.add.prefix ? WithSlash(*options_.add.prefix) : "";
    if (doc_path.starts_with(prefix)) doc_path.remove_prefix(prefix.size());
  }
  return WithSlash(directory) + std::string(doc_path);
}

void Watcher::Say(const std::string& problem) const {
  if (observer_.on_problem) observer_.on_problem(problem);
}

}  // namespace recall
