#include "cli/show/output/stdout_stream.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <utility>

#include "cli/show/terminal/signals.h"
#include "cli/show/terminal/terminal.h"

namespace recall {
namespace {

constexpr int kStdoutPollMillis = 200;

bool StdoutIsPipe() {
  struct stat info {};
  return ::fstat(STDOUT_FILENO, &info) == 0 && S_ISFIFO(info.st_mode);
}

}  // namespace

bool StdoutStream::IsTerminal() const {
  if (recorded_ != nullptr) return for_terminal_;
  return captured_ == nullptr && recall::IsTerminal(STDOUT_FILENO);
}

void StdoutStream::PageFrom(size_t rows, size_t columns, std::string pager_command) {
  window_rows_ = rows;
  window_columns_ = columns;
  pager_command_ = std::move(pager_command);
}

void StdoutStream::StartPagerIfLong() {
  if (pager_command_.empty() || RowsOf(buffer_, window_columns_) < window_rows_) return;
  pager_ = Pager::Start(std::exchange(pager_command_, ""));
}

void StdoutStream::Write(std::string_view text) {
  constexpr size_t kFlushAt = 1 << 16;
  if (captured_ != nullptr) {
    *captured_ += text;
    return;
  }
  if (recorded_ != nullptr) {
    recorded_->Add(OutputStep::Kind::kOut, text);
    return;
  }
  if (!pager_command_.empty()) {
    buffer_ += text;
    StartPagerIfLong();
    if (buffer_.size() >= kFlushAt) WriteBuffer();
    return;
  }
  if (buffer_.size() + text.size() < kFlushAt) {
    buffer_ += text;
    return;
  }
  WriteBuffer();
  WriteNow(text);  // without a copy: a document may be large
}

void StdoutStream::WriteError(std::string_view text) {
  if (recorded_ != nullptr) {
    recorded_->Add(OutputStep::Kind::kError, text);
  } else {
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
}

void StdoutStream::WriteNow(std::string_view bytes) {
  // A pipe that poll reports as writable takes PIPE_BUF bytes without a wait. It is not made
  // non-blocking, because other processes share it.
  const bool pipe = StdoutIsPipe();
  while (!bytes.empty() && error_ == 0) {
    if (pipe && !WaitForReader()) return;
    const size_t most = pipe ? size_t{PIPE_BUF} : bytes.size();
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), std::min(bytes.size(), most));
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
}

// Returns: false, with error_ set, if a signal came and the reader takes nothing.
bool StdoutStream::WaitForReader() {
  pollfd polled = {STDOUT_FILENO, POLLOUT, 0};
  while (::poll(&polled, 1, kStdoutPollMillis) <= 0) {
    if (!WasInterrupted()) continue;
    error_ = ECANCELED;
    return false;
  }
  return true;
}

void StdoutStream::WriteBuffer() {
  WriteNow(buffer_);
  buffer_.clear();
}

Status StdoutStream::Flush() {
  if (captured_ != nullptr) return {};
  if (recorded_ != nullptr) {
    recorded_->Add(OutputStep::Kind::kFlush);
    return {};
  }
  StartPagerIfLong();
  WriteBuffer();
  if (error_ == 0 || error_ == EPIPE) return {};
  if (error_ == ECANCELED) {
    return Status::Cancelled("interrupted while waiting for the reader of standard output");
  }
  if (error_ == EBADF) return Status::IoError("cannot write to standard output: it is closed");
  return Status::IoError(std::string("cannot write to standard output: ") + std::strerror(error_));
}

}  // namespace recall
