#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace recall {

// A listening Unix socket. A request is answered with `response`, and then its connection is closed
// if `closes`.
class FakeServer final {
 public:
  FakeServer(const std::string& path, std::string response, bool closes)
      : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)),
        response_(std::move(response)),
        closes_(closes) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(::listen(fd_, 4), 0);
    thread_ = std::thread([this] { Serve(); });
  }
  ~FakeServer() {
    ::shutdown(fd_, SHUT_RDWR);
    thread_.join();
    if (connection_ >= 0) ::close(connection_);
    ::close(fd_);
  }
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  // Waits for the beginning of a request.
  std::string WaitForRequest() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !request_.empty(); });
    return request_;
  }
  bool was_asked() {
    const std::lock_guard lock(mutex_);
    return !request_.empty();
  }

 private:
  void Serve() {
    for (;;) {
      const int connection = ::accept(fd_, nullptr, nullptr);
      if (connection < 0) return;
      char buffer[4096];
      const ssize_t count = ::read(connection, buffer, sizeof(buffer));
      if (count > 0) {
        const std::lock_guard lock(mutex_);
        request_.assign(buffer, static_cast<size_t>(count));
        changed_.notify_all();
      }
      [[maybe_unused]] const ssize_t sent =
          ::send(connection, response_.data(), response_.size(), MSG_NOSIGNAL);
      if (closes_) {
        ::close(connection);
      } else {
        connection_ = connection;
      }
    }
  }

  const int fd_;
  const std::string response_;
  const bool closes_;
  std::condition_variable changed_;
  std::mutex mutex_;  // guards the following
  std::string request_;
  int connection_ = -1;
  std::thread thread_;
};

}  // namespace recall
