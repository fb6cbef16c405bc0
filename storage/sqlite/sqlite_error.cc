#include "storage/sqlite/sqlite_error.h"

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "storage/base/file_locks.h"
#include "storage/replica/page_source.h"
#include "storage/sqlite/page_vfs.h"

namespace recall {
namespace {

std::string FileOf(sqlite3* connection) {
  const char* name = connection ? sqlite3_db_filename(connection, "main") : nullptr;
  if (name == nullptr || *name == '\0') return "the store";
  const PageSource* const source = FindPageSource(name);
  return source ? source->name() : name;
}

// Returns the errno behind a write error, or 0. SQLite reports a file that may not grow (quota,
// ulimit) as a plain write error.
int SystemCause(sqlite3* connection, int code) {
  return code == SQLITE_IOERR && connection ? sqlite3_system_errno(connection) : 0;
}

bool IsOutOfSpace(sqlite3* connection, int code) {
  const int cause = SystemCause(connection, code);
  return code == SQLITE_FULL || cause == ENOSPC || cause == EDQUOT;
}

// SQLite reports a system call that lacked memory as a failure to read or to open a file.
bool IsOutOfMemory(sqlite3* connection, int code) {
  const int primary = code & 0xff;
  if (primary == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM) return true;
  if (!connection || (primary != SQLITE_IOERR && primary != SQLITE_CANTOPEN)) return false;
  return sqlite3_extended_errcode(connection) == SQLITE_IOERR_NOMEM ||
         sqlite3_system_errno(connection) == ENOMEM;
}

// SQLite does not always keep the cause of a write error, so the hint mentions a limit if there is
// one.
bool HasFileSizeLimit() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// ": Permission denied" if a system call failed, else "". SQLite reports a file that it could not
// make as one that does not exist.
std::string SystemReason(sqlite3* connection) {
  if (connection) {
    const char* const file = sqlite3_db_filename(connection, "main");
    if (file && HasNoInodes(file)) return ": the disk has no room for another file";
  }
  const int cause = connection ? sqlite3_system_errno(connection) : 0;
  return cause == 0 ? "" : std::string(": ") + std::strerror(cause);
}

// Whether the connection has a schema check (kSchemaCheckFunction) and the schema fails it.
bool FailsSchemaCheck(sqlite3* connection) {
  const std::string sql = std::string("SELECT ") + kSchemaCheckFunction + "()";
  sqlite3_stmt* check = nullptr;
  const bool fails =
      sqlite3_prepare_v2(connection, sql.c_str(), -1, &check, nullptr) == SQLITE_OK &&
      sqlite3_step(check) == SQLITE_ROW && sqlite3_column_int(check, 0) == 0;
  sqlite3_finalize(check);
  return fails;
}

// Interprets SQLITE_ERROR from one of Recall's fixed statements. If the schema is not that of the
// migrations, the file is damaged or of another program; anything else is a bug in Recall.
bool IsBrokenSchema(sqlite3* connection, std::string_view reason) {
  for (std::string_view sign :
       {"no such table", "no such column", "has no column", "vtable constructor failed",
        "file format", "malformed", "already exists"}) {
    if (reason.find(sign) != std::string_view::npos) return true;
  }
  return connection && FailsSchemaCheck(connection);
}

// Returns the number of the page that failed its checksum; 0 if none has.
uint32_t DamagedPage(sqlite3* connection) {
  const PageFile* const pages = connection ? PageFile::Of(connection) : nullptr;
  return pages ? pages->damaged_page() : 0;
}

// Returns the error of the server of a replica, if the file is one and its server has failed.
Status FailureOfServer(sqlite3* connection) {
  const char* const path = connection ? sqlite3_db_filename(connection, "main") : nullptr;
  PageSource* const source = path ? FindPageSource(path) : nullptr;
  return source ? source->TakeError() : Status::Ok();
}

// Returns ": " and who writes to the store, or nothing. In WAL mode the writer has a lock on byte
// 120 of the file -shm (https://sqlite.org/walformat.html).
std::string WriterOf(sqlite3* connection) {
  constexpr off_t kWalWriteLock = 120;
  const char* const path = connection ? sqlite3_db_filename(connection, "main") : nullptr;
  if (path == nullptr) return "";
  if (FindPageSource(path) != nullptr) return "";  // another machine may write
  const pid_t process = ProcessWithLock((std::string(path) + "-shm").c_str(), kWalWriteLock);
  return process <= 0 || process == ::getpid() ? "" : ": process " + std::to_string(process);
}

Status DamagedStore(std::string message) {
  return Status::Corruption(std::move(message),
                            "run `recall doctor`; if it cannot repair the store, restore a backup, "
                            "or add the files to a new store");
}

// Returns the error if the process or the disk lacks memory or space; OK for any other failure.
Status LackOfResources(sqlite3* connection, int code, const std::string& what) {
  const int primary = code & 0xff;
  if (IsOutOfMemory(connection, code)) return Status::NotEnoughMemory(what);
  if (IsOutOfSpace(connection, primary)) {
    return Status::IoError(FileOf(connection) + ": cannot write to the store: the disk is full",
                           "free some space and try again; committed data is safe");
  }
  if (SystemCause(connection, primary) == EFBIG) {
    return Status::IoError(
        FileOf(connection) +
            ": cannot write to the store: it exceeds the limit on the size of files",
        "raise the limit (ulimit -f) and try again; committed data is safe");
  }
  return Status::Ok();
}

Status IoFailure(sqlite3* connection, const std::string& message) {
  if (Status failed = FailureOfServer(connection); !failed.ok()) return failed;
  return Status::IoError(message, HasFileSizeLimit()
                                      ? "check the disk and the limit on the size of files "
                                        "(ulimit -f); committed data is safe"
                                      : "check the disk; committed data is safe");
}

Status CorruptFile(sqlite3* connection, std::string message) {
  const uint32_t page = DamagedPage(connection);
  if (page == 0) return DamagedStore(std::move(message));
  return DamagedStore(FileOf(connection) + ": page " + std::to_string(page) +
                      " does not match its checksum");
}

}  // namespace

bool HasNoInodes(const char* path) {
  struct statvfs info;
  return ::statvfs(path, &info) == 0 && info.f_files > 0 && info.f_favail == 0;
}

Status StatusFromSqlite(sqlite3* connection, int code, std::string_view doing) {
  const std::string reason = connection ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
  const std::string what = FileOf(connection) + ": cannot " + std::string(doing) + ": ";
  if (Status lack = LackOfResources(connection, code, what); !lack.ok()) return lack;
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Status::Busy(what + "another process is writing to the store" + WriterOf(connection),
                          "wait until it has finished and try again");
    case SQLITE_INTERRUPT:
      return Status::Cancelled(what + "interrupted");
    case SQLITE_NOTADB:
      return Status::Corruption(what + "the file is not a recall store", "check the path");
    case SQLITE_CORRUPT:
      return CorruptFile(connection, what + reason);
    case SQLITE_READONLY:
      return Status::IoError(what + "the file cannot be written",
                             "check the permissions of the file and of its directory");
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return Status::IoError(
          what + "the file or its -wal or -shm file cannot be opened" + SystemReason(connection),
          "check that the directory exists and that you may read and write it");
    case SQLITE_IOERR:
      return IoFailure(connection, what + reason);
    case SQLITE_TOOBIG:
      return Status::LimitExceeded(what + "a value is larger than SQLite can store");
    case SQLITE_CONSTRAINT:
      return Status::AlreadyExists(what + reason);
    case SQLITE_ERROR:
      if (IsBrokenSchema(connection, reason)) return DamagedStore(what + reason);
      [[fallthrough]];
    default:
      return Status::Internal(what + reason);
  }
}

}  // namespace recall
