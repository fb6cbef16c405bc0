#include "storage/file_io/kept_copy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "storage/file_io/new_file.h"
#include "storage/file_io/unfinished_file.h"

namespace recall {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;

Status CannotCopy(const std::string& path) {
  return Status::IoError(path + ": cannot copy the store: " + std::strerror(errno),
                         "free some space and try again; nothing was changed");
}

// Copies all bytes of an open file without moving its position.
Status CopyBytes(int from, int to, const std::string& path) {
  std::vector<char> block(kBlockBytes);
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(from, block.data(), block.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return CannotCopy(path);
    if (got == 0) return Status::Ok();
    for (ssize_t done = 0; done < got;) {
      const ssize_t put = ::write(to, block.data() + done, static_cast<size_t>(got - done));
      if (put < 0 && errno != EINTR) return CannotCopy(path);
      done += put > 0 ? put : 0;
    }
    at += got;
  }
}

// Writes the copy of an open file to `to`, which does not exist or is empty. The copy has the
// permissions of the original.
Status CopyFile(int from, const std::string& to) {
  struct stat info {};
  if (::fstat(from, &info) != 0) return CannotCopy(to);
  const int file = ::open(to.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return CannotCopy(to);
  Status copied = CopyBytes(from, file, to);
  if (copied.ok() && (::fchmod(file, info.st_mode & 0777) != 0 || ::fsync(file) != 0)) {
    copied = CannotCopy(to);
  }
  if (::close(file) != 0 && copied.ok()) copied = CannotCopy(to);
  return copied;
}

bool IsEmpty(int file) {
  struct stat info {};
  return ::fstat(file, &info) == 0 && info.st_size == 0;
}

std::string FreeName(const std::string& path) {
  const std::string first = path + ".before-fix";
  std::string name = first;
  struct stat info {};
  for (int i = 2; ::lstat(name.c_str(), &info) == 0; ++i) name = first + "-" + std::to_string(i);
  return name;
}

}  // namespace

Result<KeptCopy> KeepCopyOf(const std::string& path, int descriptor) {
  RECALL_ASSIGN(const auto unfinished, UnfinishedFile::Create(path, 0600));
  const std::string& copy = unfinished->path();
  RECALL_TRY(CopyFile(descriptor, copy));
  const int wal = ::open((path + "-wal").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (wal < 0 && errno != ENOENT) return Fail(CannotCopy(path + "-wal"));
  const bool with_wal = wal >= 0 && !IsEmpty(wal);
  const Status wal_copied = with_wal ? CopyFile(wal, copy + "-wal") : Status::Ok();
  if (wal >= 0) ::close(wal);
  RECALL_TRY(wal_copied);

  // A process may be killed between the two renames, so the WAL is renamed first: it has no meaning
  // without its database, and the next copy replaces it.
  const std::string kept = FreeName(path);
  const std::string kept_wal = kept + "-wal";
  const bool wal_moved = with_wal ? ::rename((copy + "-wal").c_str(), kept_wal.c_str()) == 0
                                  : ::unlink(kept_wal.c_str()) == 0 || errno == ENOENT;
  if (!wal_moved) return Fail(CannotCopy(kept_wal));
  if (::rename(copy.c_str(), kept.c_str()) != 0) {
    const Status failed = CannotCopy(kept);
    ::unlink(kept_wal.c_str());
    return Fail(failed);
  }
  SyncDirectoryOf(kept);
  return KeptCopy{kept, with_wal ? kept_wal : ""};
}

}  // namespace recall
