#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "storage/base/check.h"

namespace recall {

// A file in memory with the bytes of an archive, for a reader that opens paths.
class MemoryArchive final {
 public:
  explicit MemoryArchive(std::string_view bytes) : fd_(::memfd_create("archive", MFD_CLOEXEC)) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(fd_, bytes.data(), bytes.size());
      RECALL_CHECK(count > 0);
      bytes.remove_prefix(static_cast<size_t>(count));
    }
  }
  ~MemoryArchive() { ::close(fd_); }
  MemoryArchive(const MemoryArchive&) = delete;
  MemoryArchive& operator=(const MemoryArchive&) = delete;

  // Valid while this exists.
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace recall
