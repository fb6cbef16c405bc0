#include "cli/settings/config_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace recall {
namespace {

// A descriptor that is closed at the end of its scope.
class ConfigDescriptor final {
 public:
  explicit ConfigDescriptor(int fd) : fd_(fd) {}
  ~ConfigDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  ConfigDescriptor(const ConfigDescriptor&) = delete;
  ConfigDescriptor& operator=(const ConfigDescriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

Status CannotReadConfig(const std::string& path, int error) {
  return Status::IoError(path + ": cannot read the configuration file: " + std::strerror(error),
                         "check the permissions of the file and of its directory");
}

Status TooLargeConfig(const std::string& path) {
  return Status::InvalidArgument(path + ": the configuration file is larger than 1 MiB",
                                 "remove it, or name another file with --config");
}

// `--config /dev/null` is the usual way to use no settings file.
bool IsNullDevice(const struct stat& info) {
  return S_ISCHR(info.st_mode) && info.st_rdev == makedev(1, 3);
}

Status CheckFile(const std::string& path, int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return CannotReadConfig(path, errno);
  if (!S_ISREG(info.st_mode) && !IsNullDevice(info)) {
    return Status::InvalidArgument(path + ": the configuration file is not a regular file",
                                   "remove it, or name another file with --config");
  }
  return static_cast<uint64_t>(info.st_size) > kMaxConfigBytes ? TooLargeConfig(path)
                                                               : Status::Ok();
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
  // O_NONBLOCK: does not wait if the path is a named pipe.
  const ConfigDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  const int error = errno;
  if (file.get() < 0 && (error == ENOENT || error == ENOTDIR)) {
    return Fail(Status::NotFound("no such configuration file: " + path));
  }
  // A socket cannot be opened.
  if (file.get() < 0 && error == ENXIO) {
    return Fail(Status::InvalidArgument(path + ": the configuration file is not a regular file",
                                        "remove it, or name another file with --config"));
  }
  if (file.get() < 0) return Fail(CannotReadConfig(path, error));
  RECALL_TRY(CheckFile(path, file.get()));
  return ReadToEnd(path, file.get());
}

}  // namespace recall
