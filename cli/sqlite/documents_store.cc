// Which store is searched.
//
// The problem: several connections and processes search the rows of a database, each as its own
// transaction sees them: with its own changes, or an older state. One store has one state.
//
// The idea: the store beside the database, which all share, follows what is committed. A search
// first brings it up to date. A transaction that sees something else searches a store of its
// connection, which begins as a copy of the shared one and follows the log that the transaction
// sees.
//
//   position of the shared store    transaction                     searched
//   end of the log                  any                             the shared store
//   an older entry of the log       has not changed rows            the shared store, updated
//   not in the log (a backup was    one statement, which sees       the shared store, updated
//   restored, a writer was killed)  the newest commit
//   other cases; database in        any                             the connection's own store
//   memory or read-only
//
// Invariants:
// - An answer is that of a store whose position is the end of the log that the statement sees
//   (followed_store.cc). If the shared store was written between the comparison and the search, the
//   answer has another snapshot, and is not used.
// - The shared store is written under a lock of its own. Nobody waits for the database with it.
// - Both stores can be deleted at any time: they are made again from the rows.

#include "cli/sqlite/documents_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include "query/maintenance/backup.h"
#include "storage/base/file_locks.h"

namespace recall {
namespace {

constexpr int kAttempts = 3;
constexpr auto kLongestWait = std::chrono::seconds(10);
constexpr auto kWait = std::chrono::milliseconds(10);

// The right to write the shared store. The system takes it back when the process ends.
class FollowerLock final {
 public:
  FollowerLock() = default;
  ~FollowerLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  FollowerLock(const FollowerLock&) = delete;
  FollowerLock& operator=(const FollowerLock&) = delete;

  // Returns: false if the directory must not be written.
  bool Open(const std::string& directory) {
    const std::string file = directory + "/lock";
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    return descriptor_ >= 0;
  }
  // Requires: Open.
  Status Take() {
    const auto end = std::chrono::steady_clock::now() + kLongestWait;
    while (LockWholeFile(descriptor_) != 0) {
      if (std::chrono::steady_clock::now() >= end) {
        return Status::Busy("another connection is bringing the documents up to date", "try again");
      }
      std::this_thread::sleep_for(kWait);
    }
    return Status::Ok();
  }

 private:
  int descriptor_ = -1;
};

// The store has the texts of the database, so who may not read that may not read it either.
bool MakeDirectoryLike(const std::string& database, const std::string& directory) {
  struct stat info = {};
  if (::stat(database.c_str(), &info) != 0) return false;
  const mode_t read = info.st_mode & 0444;
  return ::mkdir(directory.c_str(), 0700 | read | (read >> 2) | (info.st_mode & 0222)) == 0;
}

bool IsDirectory(const std::string& name) {
  std::error_code error;
  return std::filesystem::is_directory(name, error);
}

}  // namespace

DocumentsStore::~DocumentsStore() {
  if (own_) own_->RemoveFiles();
}

Status DocumentsStore::FindShared(ShadowRows& rows) {
  if (shared_ || database_.empty()) return Status::Ok();
  RECALL_ASSIGN(const std::string identity, rows.Identity());
  shared_ = std::make_unique<FollowedStore>(database_ + "-" + identity + ".recall", embedding_);
  return Status::Ok();
}

Result<CallAnswer> DocumentsStore::Read(ShadowRows& rows, const LibraryRequest& request) {
  RECALL_TRY(FindShared(rows));
  if (shared_) {
    RECALL_ASSIGN(std::optional<CallAnswer> answer, ReadShared(rows, request));
    if (answer) return std::move(*answer);
  }
  return ReadOwn(rows, request);
}

Result<std::optional<CallAnswer>> DocumentsStore::ReadShared(ShadowRows& rows,
                                                             const LibraryRequest& request) {
  RECALL_ASSIGN(const LogPosition end, rows.End());
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (!shared_->WasAt(end)) {
      RECALL_ASSIGN(const bool is_there, BringShared(rows, end));
      if (!is_there) break;
    }
    RECALL_ASSIGN(std::optional<CallAnswer> answer, shared_->Read(request));
    if (answer) return answer;
  }
  return std::optional<CallAnswer>();
}

Result<bool> DocumentsStore::BringShared(ShadowRows& rows, const LogPosition& end) {
  const bool may_write = writable_ && !rows.has_changed();
  const Status opened = shared_->Open(/*create=*/false);
  if (opened.code() == StatusCode::kStoreNotFound) {
    if (!may_write) return false;
    if (!IsDirectory(shared_->directory()) && !MakeDirectoryLike(database_, shared_->directory()) &&
        !IsDirectory(shared_->directory())) {
      return false;
    }
    return FollowShared(rows);
  }
  RECALL_TRY(opened);
  Result<std::optional<LogPosition>> position = shared_->Position();
  if (!position && position.error().code() != StatusCode::kStoreNotFound) {
    return Fail(position.error());
  }
  const bool exists = position.has_value();
  if (exists && *position == end) return true;
  if (!may_write) return false;
  // Within a transaction the statement may see an older state, which others do not want.
  if (exists && *position && sqlite3_get_autocommit(connection_) == 0) {
    RECALL_ASSIGN(const bool is_ahead, rows.Contains(**position));
    if (!is_ahead) return false;
  }
  return FollowShared(rows);
}

Result<bool> DocumentsStore::FollowShared(ShadowRows& rows) {
  FollowerLock lock;
  if (!lock.Open(shared_->directory())) return false;
  RECALL_TRY(lock.Take());
  RECALL_TRY(shared_->Open(/*create=*/true));
  RECALL_TRY(shared_->Follow(rows));
  return true;
}

Result<CallAnswer> DocumentsStore::ReadOwn(ShadowRows& rows, const LibraryRequest& request) {
  if (!own_) RECALL_TRY(MakeOwn());
  RECALL_ASSIGN(const LogPosition end, rows.End());
  if (!own_->WasAt(end)) {
    RECALL_TRY(own_->Open(/*create=*/true));
    RECALL_TRY(own_->Follow(rows));
  }
  RECALL_ASSIGN(std::optional<CallAnswer> answer, own_->Read(request));
  if (answer) return std::move(*answer);
  return Fail(
      Status::IoError("the temporary store '" + own_->directory() + "' was changed", "ask again"));
}

Status DocumentsStore::MakeOwn() {
  std::error_code error;
  std::string name = std::filesystem::temp_directory_path(error).string() + "/recall-XXXXXX";
  if (error || ::mkdtemp(name.data()) == nullptr) {
    return Status::IoError("cannot make a directory for a temporary store", "set TMPDIR");
  }
  own_ = std::make_unique<FollowedStore>(name, embedding_);
  // Without a copy all rows are added to it.
  if (shared_ && std::filesystem::exists(shared_->file(), error)) {
    static_cast<void>(RunBackup({.path = shared_->file(), .to = own_->file()}, {}, nullptr));
  }
  return Status::Ok();
}

void DocumentsStore::RemoveFiles(ShadowRows& rows) {
  if (writable_ && FindShared(rows).ok() && shared_) shared_->RemoveFiles();
  shared_.reset();
}

}  // namespace recall
