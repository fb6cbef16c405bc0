#pragma once

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace recall {

// Writes all bytes to a descriptor that waits. Returns: false with errno.
inline bool WriteWhole(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Closes a descriptor, if it is one, and leaves errno as it is. Returns: -1.
inline int CloseAfterError(int descriptor) {
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  errno = error;
  return -1;
}

}  // namespace recall
