#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "storage/base/unnamed_file.h"
#include "storage/base/write_whole.h"

namespace recall::posix_form {
namespace {

// Opens a new file of this user in the directory for temporary files. Returns it and its name.
std::pair<int, std::string> OpenTemporary() {
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::temp_directory_path(error);
  std::string name = (error ? "/tmp" : directory.string()) + "/recall-XXXXXX";
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);  // mode 0600
  return {descriptor, std::move(name)};
}

}  // namespace

int OpenUnnamedFile(const std::string&, int, unsigned) {
  errno = EOPNOTSUPP;
  return -1;
}

int NameFile(int, const std::string&) {
  errno = EOPNOTSUPP;
  return -1;
}

int MoveToFreeName(const std::string& from, const std::string& to) {
  if (::link(from.c_str(), to.c_str()) == 0) return ::unlink(from.c_str());
  // Some file systems do not support hard links.
  const bool unsupported = errno == EPERM || errno == EOPNOTSUPP || errno == ENOTSUP ||
                           errno == EMLINK || errno == ENOSYS;
  if (!unsupported) return -1;
  if (::access(to.c_str(), F_OK) == 0) {
    errno = EEXIST;
    return -1;
  }
  return ::rename(from.c_str(), to.c_str());
}

// Another descriptor of the file, which can only read it, takes the place of the one that wrote it.
int SealedMemory(std::string_view bytes) {
  const auto [writer, name] = OpenTemporary();
  if (writer < 0) return -1;
  const int reader = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  const bool written = reader >= 0 && WriteWhole(writer, bytes);
  CloseAfterError(writer);
  const int error = errno;
  ::unlink(name.c_str());
  errno = error;
  return written ? reader : CloseAfterError(reader);
}

int MemoryFile() {
  const auto [descriptor, name] = OpenTemporary();
  if (descriptor >= 0) ::unlink(name.c_str());
  return descriptor;
}

}  // namespace recall::posix_form
