#include "storage/base/wake_pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "storage/base/sockets.h"

namespace recall {

// A full pipe is readable already, so a write that would wait can be left out.
WakePipe::WakePipe() {
  if (OpenPipe(ends_) != 0) {
    ends_[0] = ends_[1] = -1;
    return;
  }
  for (const int end : ends_) ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) | O_NONBLOCK);
}

WakePipe::~WakePipe() {
  for (const int end : ends_) {
    if (end >= 0) ::close(end);
  }
}

void WakePipe::Wake() const {
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(ends_[1], "w", 1);
  errno = error;
}

size_t WakePipe::Clear() const {
  char taken[64];
  size_t all = 0;
  for (ssize_t count = 0; (count = ::read(ends_[0], taken, sizeof(taken))) > 0;) {
    all += static_cast<size_t>(count);
  }
  return all;
}

}  // namespace recall
