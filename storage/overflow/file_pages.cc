#include "storage/overflow/file_pages.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace recall {

bool FilePages::Read(const uint8_t* from, std::span<uint8_t> to) const {
  if (descriptor < 0) {
    std::memcpy(to.data(), from, to.size());
    return true;
  }
  const ssize_t read = ::pread(descriptor, to.data(), to.size(), from - bytes.data());
  return read == static_cast<ssize_t>(to.size());
}

bool FilePages::ReadIfCached(const uint8_t* from, std::span<uint8_t> to) const {
  if (descriptor < 0) return Read(from, to);
  const iovec part{to.data(), to.size()};
  const ssize_t read = ::preadv2(descriptor, &part, 1, from - bytes.data(), RWF_NOWAIT);
  if (read == static_cast<ssize_t>(to.size())) return true;
  return read < 0 && errno != EAGAIN && Read(from, to);
}

void FilePages::WillNeed(const uint8_t* from, size_t length) const {
  if (descriptor < 0) return;
  ::posix_fadvise(descriptor, from - bytes.data(), static_cast<off_t>(length), POSIX_FADV_WILLNEED);
}

}  // namespace recall
