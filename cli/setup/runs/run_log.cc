// The record of runs, which survives them.
//
// Problem: a run may be killed at any moment, another one may be started meanwhile, and what is
// recorded must neither depend on the store, which a run may find damaged or read-only, nor grow.
//
// Idea: lines that are appended, each by one write(2), to a file in the directory of states. A run
// that has begun and not ended was killed, unless a process holds the lock, which the kernel drops
// when that ends (storage/base/file_locks.h). Before a run begins, a file with kMostRuns runs
// becomes the older one of two; nothing is rewritten, so a process that skips its run may append at
// the same time.
//
// Invariants: only the process with the lock writes lines of a run that is not skipped, and renames
// the file. A line is whole, or the last one before a power cut or on a full disk.
//
// Cost: a write for each line, fsync(2) when a run begins and when it ends.

#include "cli/setup/runs/run_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <utility>

#include "query/database/database.h"
#include "storage/base/file_locks.h"
#include "storage/base/ids.h"
#include "storage/file_io/user_file.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPlaceDigits = 16;
// Runs that are skipped while one hangs are recorded up to this size of the file.
constexpr off_t kMostRecordBytes = off_t{4} << 20;

// $XDG_STATE_HOME, else ~/.local/state; "" without a home. A relative path is to be ignored (XDG
// base directory specification).
std::string StateHome() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return state;
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return "";
  return std::string(home) + "/.local/state";
}

Status CannotRecord(const std::string& path, int error) {
  return Status::IoError("cannot write " + path + ": " + SystemErrorText(error));
}

// Directories that only this user may read.
Status MakePrivateDirectories(const fs::path& directory) {
  std::error_code error;
  if (directory.empty() || fs::is_directory(directory, error)) return {};
  RECALL_TRY(MakePrivateDirectories(directory.parent_path()));
  if (::mkdir(directory.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return CannotRecord(directory.string(), errno);
}

std::string ReadRecordFile(const std::string& path) {
  std::string text;
  const auto file = OpenUserFile(path, FileKind::kRegular);
  if (!file) return text;
  std::string buffer(size_t{1} << 16, '\0');
  for (;;) {
    const ssize_t count = ::read(file->get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer, 0, static_cast<size_t>(count));
  }
}

std::string NewRunId(UnixNanos began) {
  return std::to_string(began) + "-" + std::to_string(::getpid());
}

}  // namespace

std::string PlaceOfRuns(const std::string& store) {
  const std::string state = StateHome();
  if (state.empty()) return "";
  std::error_code error;
  const fs::path resolved =
      IsServerAddress(store) ? fs::path() : fs::weakly_canonical(store, error);
  const std::string name = resolved.empty() || error ? store : resolved.string();
  return state + "/recall/runs/" + ToHex(Sha256(name)).substr(0, kPlaceDigits);
}

Result<bool> RunLog::Lock() {
  if (place_.empty()) return Fail(Status::IoError("neither XDG_STATE_HOME nor HOME is set"));
  const std::string path = place_ + ".lock";
  RECALL_TRY(MakePrivateDirectories(fs::path(path).parent_path()));
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.get() < 0) return Fail(CannotRecord(path, errno));
  const int locked = LockWholeFile(file.get());
  if (locked == EAGAIN || locked == EACCES) return false;
  if (locked != 0) {
    return Fail(Status::Unsupported("cannot lock " + path + ": " + SystemErrorText(locked)));
  }
  lock_.emplace(std::move(file));
  return true;
}

bool RunLog::IsLocked() const {
  const FileDescriptor file(::open((place_ + ".lock").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  return file.get() >= 0 && IsWholeFileLocked(file.get());
}

Status RunLog::Append(std::string_view line, bool durable) const {
  const std::string path = newer();
  const FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.get() < 0) return CannotRecord(path, errno);
  ssize_t written = -1;
  do {
    written = ::write(file.get(), line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  if (written != static_cast<ssize_t>(line.size())) {
    return CannotRecord(path, written < 0 ? errno : ENOSPC);
  }
  if (durable && ::fsync(file.get()) != 0) return CannotRecord(path, errno);
  return {};
}

Status RunLog::Begin(RunRecord* run) {
  run->id = NewRunId(run->began);
  const std::string text = ReadRecordFile(newer());
  if (ParseRuns(text).size() >= kMostRuns) {
    if (::rename(newer().c_str(), older().c_str()) != 0) return CannotRecord(older(), errno);
    return Append(BeginLine(*run), true);
  }
  const bool torn = !text.empty() && text.back() != '\n';
  return Append((torn ? "\n" : "") + BeginLine(*run), true);
}

Status RunLog::JobEnded(const RunRecord& run, const JobRecord& job) const {
  return Append(JobLine(run, job), false);
}

Status RunLog::Ended(const RunRecord& run) const { return Append(EndLine(run), true); }

Status RunLog::Skipped(RunRecord* run) const {
  run->id = NewRunId(run->began);
  struct stat info {};
  if (::stat(newer().c_str(), &info) == 0 && info.st_size >= kMostRecordBytes) return {};
  return Append(SkippedLine(*run), false);
}

// If the newer file becomes the older one meanwhile, its lines are there twice, and not missing.
std::string RunLog::ReadBoth() const {
  const std::string newest = ReadRecordFile(newer());
  return ReadRecordFile(older()) + newest;
}

std::vector<RunRecord> RunLog::Read() const {
  if (place_.empty()) return {};
  // A run that has begun before the lock is looked at, and has not ended in what is read after
  // that, goes on only if it has the lock.
  std::set<std::string> begun;
  for (const RunRecord& run : ParseRuns(ReadBoth())) begun.insert(run.id);
  const bool locked = IsLocked();
  std::vector<RunRecord> runs = ParseRuns(ReadBoth());
  std::ranges::reverse(runs);
  const auto open = std::ranges::find(runs, RunStatus::kInterrupted, &RunRecord::status);
  if (open != runs.end() && (locked || !begun.contains(open->id))) {
    open->status = RunStatus::kRunning;
  }
  if (runs.size() > kMostRuns) runs.resize(kMostRuns);
  for (RunRecord& run : runs) {
    if (run.end || run.status == RunStatus::kSkipped) continue;
    // The first job without an end is the one that was under way.
    const auto job = std::ranges::find(run.jobs, RunStatus::kNotRun, &JobRecord::status);
    if (job != run.jobs.end()) job->status = run.status;
  }
  return runs;
}

}  // namespace recall
