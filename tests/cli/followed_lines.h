#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace recall {

// The lines that a program prints while it runs: a pipe with a name, for RunOptions::stdout_file.
class FollowedLines final {
 public:
  explicit FollowedLines(std::string path) : path_(std::move(path)) {
    EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
    EXPECT_GE(descriptor_, 0);
  }
  ~FollowedLines() { ::close(descriptor_); }
  FollowedLines(const FollowedLines&) = delete;
  FollowedLines& operator=(const FollowedLines&) = delete;

  const std::string& path() const { return path_; }

  // The next line, without its newline, which is waited for.
  std::string Next() {
    for (;;) {
      if (const size_t end = text_.find('\n'); end != text_.npos) {
        std::string line = text_.substr(0, end);
        text_.erase(0, end + 1);
        return line;
      }
      pollfd polled = {descriptor_, POLLIN, 0};
      if (::poll(&polled, 1, 60'000) != 1) {
        ADD_FAILURE() << "no further line";
        return "";
      }
      char buffer[4096];
      const ssize_t count = ::read(descriptor_, buffer, sizeof(buffer));
      if (count > 0) text_.append(buffer, static_cast<size_t>(count));
    }
  }
  // What was read and not returned yet.
  const std::string& rest() const { return text_; }

 private:
  std::string path_;
  int descriptor_ = -1;
  std::string text_;
};

}  // namespace recall
