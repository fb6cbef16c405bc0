#include "cli/options/settings/config_text.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "storage/file_io/user_file.h"

namespace recall {
namespace {

Status CannotReadConfig(const std::string& path, int error) {
  return Status::IoError(path + ": cannot read the configuration file: " + std::strerror(error),
                         "check the permissions of the file and of its directory");
}

Status TooLargeConfig(const std::string& path) {
  return Status::InvalidArgument(path + ": the configuration file is larger than 1 MiB",
                                 "remove it, or name another file with --config");
}

// The file may grow while it is read, so the size is checked again.
Result<std::string> ReadToEnd(const std::string& path, int fd) {
  std::string text;
  char buffer[1 << 14];
  for (;;) {
    const ssize_t count = ::read(fd, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Fail(CannotReadConfig(path, errno));
    if (count == 0) return text;
    text.append(buffer, static_cast<size_t>(count));
    if (text.size() > kMaxConfigBytes) return Fail(TooLargeConfig(path));
  }
}

}  // namespace

Result<std::string> ReadConfigText(const std::string& path) {
  const Result<FileDescriptor> file = OpenUserFile(path, FileKind::kRegular);
  if (!file && file.error().code() == StatusCode::kNotFound) {
    return Fail(Status::NotFound("no such configuration file: " + path));
  }
  if (!file && file.error().code() == StatusCode::kInvalidArgument) {
    return Fail(Status::InvalidArgument(path + ": the configuration file is not a regular file",
                                        "remove it, or name another file with --config"));
  }
  if (!file) return Fail(file.error());
  struct stat info {};
  if (::fstat(file->get(), &info) != 0) return Fail(CannotReadConfig(path, errno));
  if (static_cast<uint64_t>(info.st_size) > kMaxConfigBytes) return Fail(TooLargeConfig(path));
  return ReadToEnd(path, file->get());
}

}  // namespace recall
