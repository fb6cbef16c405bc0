#include "cli/server/http/body_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace recall {
namespace {

// Not every file system has O_TMPFILE.
int OpenUnnamed(const std::string& directory) {
  const int fd = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
  std::string name = directory + "/.recall-body-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

Result<std::shared_ptr<BodyFile>> BodyFile::Make(const std::string& directory) {
  const int fd = OpenUnnamed(directory);
  if (fd < 0) {
    return Fail(Status::IoError("cannot make a temporary file in " + directory + ": " +
                                std::strerror(errno)));
  }
  return std::shared_ptr<BodyFile>(new BodyFile(fd));
}

BodyFile::~BodyFile() { ::close(descriptor_); }

Status BodyFile::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      return Status::IoError(std::string("cannot store the body: ") + std::strerror(errno));
    }
    size_ += static_cast<uint64_t>(written);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

}  // namespace recall
