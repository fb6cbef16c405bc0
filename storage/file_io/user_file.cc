#include "storage/file_io/user_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace recall {
namespace {

// O_NONBLOCK: opening a named pipe does not wait for its writer.
constexpr int kReadFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

Status CannotOpenUserFile(const std::string& name, int error) {
  return Status::IoError(name + ": cannot read it: " + std::strerror(error),
                         "check that the file exists and that you may read it");
}

Status NotRegular(const std::string& name) {
  return Status::InvalidArgument(name + " is not a regular file", "specify a regular file");
}

bool IsNullDevice(const struct stat& info) {
  return S_ISCHR(info.st_mode) && info.st_rdev == makedev(1, 3);
}

}  // namespace

Status CheckFileKind(int fd, const std::string& name, FileKind kind) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return CannotOpenUserFile(name, errno);
  if (S_ISREG(info.st_mode) || IsNullDevice(info)) return Status::Ok();
  if (kind == FileKind::kRegular) return NotRegular(name);
  if (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) || ::isatty(fd) == 1) return Status::Ok();
  return Status::InvalidArgument(
      name + (S_ISDIR(info.st_mode) ? " is a directory" : " is a device"),
      "specify a file or a pipe");
}

Result<FileDescriptor> OpenUserFile(const std::string& path, FileKind kind) {
  FileDescriptor file(::open(path.c_str(), kReadFlags));
  if (file.get() < 0) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR) return Fail(Status::NotFound("no such file: " + path));
    // A socket cannot be opened.
    return Fail(error == ENXIO ? NotRegular(path) : CannotOpenUserFile(path, error));
  }
  RECALL_TRY(CheckFileKind(file.get(), path, kind));
  return file;
}

}  // namespace recall
