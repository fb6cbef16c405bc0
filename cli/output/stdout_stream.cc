#include "cli/output/stdout_stream.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace recall {

void StdoutStream::Write(std::string_view text) {
  constexpr size_t kFlushAt = 1 << 16;
  if (buffer_.size() + text.size() < kFlushAt) {
    buffer_ += text;
    return;
  }
  WriteBuffer();
  WriteNow(text);  // without a copy: a document may be large
}

void StdoutStream::WriteNow(std::string_view bytes) {
  while (!bytes.empty() && error_ == 0) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
}

void StdoutStream::WriteBuffer() {
  WriteNow(buffer_);
  buffer_.clear();
}

Status StdoutStream::Flush() {
  WriteBuffer();
  if (error_ == 0 || error_ == EPIPE) return {};
  if (error_ == EBADF) return Status::IoError("cannot write to standard output: it is closed");
  return Status::IoError(std::string("cannot write to standard output: ") + std::strerror(error_));
}

}  // namespace recall
