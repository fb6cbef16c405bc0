#include "storage/file_io/new_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "storage/base/random.h"
#include "storage/base/result.h"
#include "storage/base/unnamed_file.h"

namespace recall {
namespace {

// Each function below publishes a finished file with rename(2), which is atomic, and makes the
// directory durable afterwards. TakePlace needs two names to change; a crash between its steps
// loses nothing:
//
//   step                           a crash after it leaves
//   link(to, kept)                 the old file under both names; `kept` is removed the next time
//   fsync of the directory         the same, after a power failure, too
//   unlink WAL and -shm of `to`    the old file, into which its WAL has been copied before
//   rename(from, to)               the new file as `to`, the old one as `kept`
//   fsync of the directory         the same, after a power failure, too
//
// Invariants: `to` names a complete file at every moment. The files that SQLite keeps beside `to`
// are removed before a new file gets that name, because SQLite would apply an old WAL to it.
// `from` must be closed and complete (CheckComplete), and no connection may have `to` open.

Status CannotCreate(const std::string& path) {
  return Status::IoError(path + ": cannot create it: " + std::strerror(errno),
                         "check that the directory exists and that you may write to it");
}

// Undoes the first step of TakePlace after its second one failed: removes the name `kept` if the
// file still has both names, or renames the file back.
Status CannotTake(const std::string& to, const std::string& kept) {
  const Status status = CannotCreate(to);
  if (IsSameFile(to, kept)) {
    ::unlink(kept.c_str());
  } else if (::access(to.c_str(), F_OK) != 0) {
    ::rename(kept.c_str(), to.c_str());
  }
  return status;
}

// The last connection that closes a database copies its WAL into the file and removes the WAL. If
// that fails, the file alone is not the whole database.
Status CheckComplete(const std::string& path) {
  struct stat info {};
  if (::stat((path + "-wal").c_str(), &info) != 0 || info.st_size == 0) return Status::Ok();
  return Status::IoError(path + ": the new store could not be completed",
                         "check that there is space on the disk, and try again");
}

}  // namespace

Status FileAlreadyThere(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return Status::AlreadyExists(path + ": there is a directory of this name",
                                 "specify another name, or remove the directory");
  }
  return Status::AlreadyExists(path + ": the file already exists",
                               "specify another name, or move the file");
}

std::string NameBeside(const std::string& path) { return path + ".new-" + RandomHex(4); }

bool IsSameFile(const std::string& a, const std::string& b) {
  struct stat of_a {};
  struct stat of_b {};
  return ::lstat(a.c_str(), &of_a) == 0 && ::lstat(b.c_str(), &of_b) == 0 &&
         of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

Status MoveIntoPlace(const std::string& from, const std::string& to) {
  RECALL_TRY(CheckComplete(from));
  if (::access(to.c_str(), F_OK) == 0) return FileAlreadyThere(to);
  for (const char* suffix : {"-wal", "-shm", "-journal"}) ::unlink((to + suffix).c_str());
  if (MoveToFreeName(from, to) != 0) {
    return errno == EEXIST ? FileAlreadyThere(to) : CannotCreate(to);
  }
  SyncDirectoryOf(to);
  return Status::Ok();
}

Status TakePlace(const std::string& from, const std::string& to, const std::string& kept) {
  RECALL_TRY(CheckComplete(from));
  // If a process was interrupted between the two steps, one file has both names.
  if (IsSameFile(to, kept)) ::unlink(kept.c_str());
  if (::access(kept.c_str(), F_OK) == 0) return FileAlreadyThere(kept);
  if (::link(to.c_str(), kept.c_str()) != 0) {
    if (errno == EEXIST) return FileAlreadyThere(kept);
    // Some file systems do not support hard links.
    if (errno != EPERM && errno != EOPNOTSUPP) return CannotCreate(kept);
    if (::rename(to.c_str(), kept.c_str()) != 0) return CannotCreate(kept);
  }
  // Without this, a power failure could keep the second step but lose the first, and with it the
  // old file.
  SyncDirectoryOf(kept);
  for (const char* suffix : {"-wal", "-shm", "-journal"}) ::unlink((to + suffix).c_str());
  if (::rename(from.c_str(), to.c_str()) != 0) return CannotTake(to, kept);
  SyncDirectoryOf(to);
  return Status::Ok();
}

Status ReplaceFile(const std::string& from, const std::string& to) {
  RECALL_TRY(CheckComplete(from));
  for (const char* suffix : {"-wal", "-shm", "-journal"}) {
    const std::string beside = to + suffix;
    if (::access(beside.c_str(), F_OK) != 0) continue;
    return Status::Busy(to + ": " + beside + " exists, so a program may have the file open",
                        "end that program; if there is none, remove both files");
  }
  if (::rename(from.c_str(), to.c_str()) != 0) return CannotCreate(to);
  SyncDirectoryOf(to);
  return Status::Ok();
}

void SyncDirectoryOf(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const int directory =
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

}  // namespace recall
