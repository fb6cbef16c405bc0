#include "cli/output/stdout_stream.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace recall {

void StdoutStream::Write(std::string_view text) {
  constexpr size_t kFlushAt = 1 << 16;
  buffer_ += text;
  if (buffer_.size() >= kFlushAt) WriteNow();
}

void StdoutStream::WriteNow() {
  std::string_view rest = buffer_;
  while (!rest.empty() && error_ == 0) {
    const ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  buffer_.clear();
}

Status StdoutStream::Flush() {
  WriteNow();
  if (error_ == 0 || error_ == EPIPE) return {};
  if (error_ == EBADF) return Status::IoError("cannot write to standard output: it is closed");
  return Status::IoError(std::string("cannot write to standard output: ") + std::strerror(error_));
}

}  // namespace recall
