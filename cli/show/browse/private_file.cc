#include "cli/show/browse/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

Status CannotWritePrivate(const std::string& path, int error) {
  return Status::IoError("cannot write '" + path + "': " + std::strerror(error));
}

Status WriteWhole(int fd, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return CannotWritePrivate(path, errno);
    text.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Status MakePrivateDirectories(const fs::path& directory, const std::string& path) {
  std::error_code error;
  if (directory.empty() || fs::is_directory(directory, error)) return {};
  if (Status made = MakePrivateDirectories(directory.parent_path(), path); !made.ok()) return made;
  if (::mkdir(directory.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return CannotWritePrivate(path, errno);
}

}  // namespace

std::string StateDirectory() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  // A relative path is to be ignored (XDG base directory specification).
  if (state != nullptr && *state == '/') return std::string(state) + "/recall";
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return "";
  return std::string(home) + "/.local/state/recall";
}

Status WritePrivateFile(const std::string& path, std::string_view text) {
  Status made = MakePrivateDirectories(fs::path(path).parent_path(), path);
  if (!made.ok()) return made;
  const std::string unfinished = path + ".new-" + std::to_string(::getpid());
  const FileDescriptor file(
      ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.get() < 0) return CannotWritePrivate(path, errno);
  Status written = WriteWhole(file.get(), text, path);
  if (written.ok() && ::rename(unfinished.c_str(), path.c_str()) != 0) {
    written = CannotWritePrivate(path, errno);
  }
  if (!written.ok()) ::unlink(unfinished.c_str());
  return written;
}

Result<std::string> ReadPrivateFile(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return Fail(Status::NotFound("there is no file " + path));
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.bad() || !file.is_open()) return Fail(Status::IoError("cannot read '" + path + "'"));
  return text;
}

}  // namespace recall
