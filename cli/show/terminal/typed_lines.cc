#include "cli/show/terminal/typed_lines.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace recall {

Result<std::optional<std::string>> TypedLines::Next() {
  for (;;) {
    const size_t end = read_.find('\n');
    if (end != std::string::npos || (ended_ && !read_.empty())) {
      std::string line = read_.substr(0, end);
      read_.erase(0, std::min(line.size() + 1, read_.size()));
      if (line.ends_with('\r')) line.pop_back();
      return std::optional(std::move(line));
    }
    if (ended_) return std::optional<std::string>();
    pollfd waits[] = {{STDIN_FILENO, POLLIN, 0}, {interrupted_.descriptor(), POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) return Fail(Status::IoError("cannot wait"));
    if (WasInterrupted() || waits[1].revents != 0) return Fail(Status::Cancelled("interrupted"));
    if (waits[0].revents == 0) continue;
    char buffer[4096];
    const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      ended_ = true;
    } else {
      read_.append(buffer, static_cast<size_t>(count));
    }
  }
}

}  // namespace recall
