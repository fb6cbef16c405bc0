#include "cli/server/http/body_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "storage/base/own_process.h"
#include "storage/base/unnamed_file.h"

namespace recall {
namespace {

// Not every system and file system has files without a name. Sets the name of a file that has one.
int OpenBody(const std::string& directory, std::string* name) {
  const int fd = OpenUnnamedFile(directory, O_RDWR, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
  *name = directory + "/.recall-body-XXXXXX";
  const int named = ::mkostemp(name->data(), O_CLOEXEC);
  if (named < 0 || !PathToReopen(named).empty()) {
    if (named >= 0) ::unlink(name->c_str());
    name->clear();
  }
  return named;
}

}  // namespace

Result<std::shared_ptr<BodyFile>> BodyFile::Make(const std::string& directory) {
  std::string name;
  const int fd = OpenBody(directory, &name);
  if (fd < 0) {
    return Fail(Status::IoError("cannot make a temporary file in " + directory + ": " +
                                std::strerror(errno)));
  }
  return std::shared_ptr<BodyFile>(new BodyFile(fd, std::move(name)));
}

BodyFile::~BodyFile() {
  ::close(descriptor_);
  if (!name_.empty()) ::unlink(name_.c_str());
}

std::string BodyFile::path() const { return name_.empty() ? PathToReopen(descriptor_) : name_; }

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
