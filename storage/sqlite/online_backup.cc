#include "storage/sqlite/online_backup.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "storage/base/result.h"
#include "storage/sqlite/page_checksum.h"
#include "storage/sqlite/page_vfs.h"
#include "storage/sqlite/sqlite_error.h"

namespace recall {
namespace {

constexpr int kPagesAtOnce = 16;  // 1 MiB

// A database that no other connection uses yet. None of Recall's pragmas are set: the copied pages
// include the source's header.
class Destination final {
 public:
  Destination() = default;
  ~Destination() { sqlite3_close(handle_); }
  Destination(const Destination&) = delete;
  Destination& operator=(const Destination&) = delete;

  Status Open(const std::string& path, bool has_checksums) {
    const int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE;
    const int code = sqlite3_open_v2(path.c_str(), &handle_, flags, PageVfs());
    if (code != SQLITE_OK) return ToStatus(code);
    // The header may be written after other pages.
    PageFile* const pages = PageFile::Of(handle_);
    if (has_checksums && pages) pages->ExpectChecksums();
    // The file is synchronised once at the end; a copy that a crash interrupts is discarded.
    return ToStatus(sqlite3_exec(handle_, "PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF",
                                 nullptr, nullptr, nullptr));
  }
  Status ToStatus(int code) const {
    return code == SQLITE_OK ? Status::Ok() : StatusFromSqlite(handle_, code, "write the copy");
  }
  sqlite3* handle() const { return handle_; }

 private:
  sqlite3* handle_ = nullptr;
};

Status CopyPages(Connection& source, const Destination& to, const BackupProgressFn& progress,
                 const std::atomic<bool>* cancel) {
  // Finished even if `progress` throws; before that, neither connection can be closed.
  std::unique_ptr<sqlite3_backup, int (*)(sqlite3_backup*)> backup(
      sqlite3_backup_init(to.handle(), "main", source.handle(), "main"), sqlite3_backup_finish);
  if (backup == nullptr) return to.ToStatus(sqlite3_errcode(to.handle()));
  bool cancelled = false;
  int code = SQLITE_OK;
  while (code == SQLITE_OK && !cancelled) {
    code = sqlite3_backup_step(backup.get(), kPagesAtOnce);
    const int64_t pages = sqlite3_backup_pagecount(backup.get());
    if (progress) progress(pages - sqlite3_backup_remaining(backup.get()), pages);
    cancelled = cancel != nullptr && cancel->load(std::memory_order_relaxed);
  }
  const int finished = sqlite3_backup_finish(backup.release());
  if (cancelled && code != SQLITE_DONE)
    return Status::Cancelled("interrupted; nothing was written");
  if (code == SQLITE_DONE) return to.ToStatus(finished);
  // The error may be on either side; the destination's connection has the message.
  return to.ToStatus(code);
}

Status MakeDurable(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = file >= 0 && ::fsync(file) == 0;
  const int error = errno;
  if (file >= 0) ::close(file);
  if (synced) return Status::Ok();
  return Status::IoError(path + ": cannot write it: " + std::strerror(error), "check the disk");
}

}  // namespace

Status CopyDatabase(Connection& source, const std::string& to, const BackupProgressFn& progress,
                    const std::atomic<bool>* cancel) {
  RECALL_ASSIGN(const uint32_t reserved, source.ReservedBytes());
  {
    Destination destination;
    RECALL_TRY(destination.Open(to, reserved == kPageTrailerBytes));
    RECALL_TRY(CopyPages(source, destination, progress, cancel));
  }
  return MakeDurable(to);
}

}  // namespace recall
