#include "tests/cli/server/http/raw_client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <charconv>
#include <utility>

namespace recall {
namespace {

template <typename Address>
int Connect(int family, const Address& address) {
  const int fd = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  return fd;
}

}  // namespace

RawClient::RawClient(int fd) : fd_(fd) {
  // A server that does not answer must not hang the test.
  const timeval patience{60, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
}

RawClient::RawClient(RawClient&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), read_(std::move(other.read_)) {}

RawClient& RawClient::operator=(RawClient&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(read_, other.read_);
  return *this;
}

RawClient RawClient::ToSocket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  return RawClient(Connect(AF_UNIX, address));
}

RawClient RawClient::ToPort(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return RawClient(Connect(AF_INET, address));
}

bool RawClient::Send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

bool RawClient::Post(std::string_view path, std::string_view body, std::string_view headers) const {
  std::string request = "POST " + std::string(path) + " HTTP/1.1\r\nHost: test\r\n";
  request += std::string(headers) + "Content-Length: " + std::to_string(body.size());
  return Send(request + "\r\n\r\n" + std::string(body));
}

std::string RawClient::ReadResponse() {
  size_t end = 0;
  while ((end = read_.find("\r\n\r\n")) == std::string::npos) {
    if (!ReadMore()) return std::exchange(read_, {});
  }
  size_t size = end + 4;
  constexpr std::string_view kLength = "Content-Length: ";
  if (const size_t at = read_.find(kLength); at < end) {
    size_t length = 0;
    std::from_chars(read_.data() + at + kLength.size(), read_.data() + end, length);
    size += length;
  }
  while (read_.size() < size) {
    if (!ReadMore()) return std::exchange(read_, {});
  }
  std::string response = read_.substr(0, size);
  read_.erase(0, size);
  return response;
}

std::string RawClient::ReadEvent() {
  size_t end = 0;
  while ((end = read_.find("\n\n")) == std::string::npos) {
    if (!ReadMore()) return std::exchange(read_, {});
  }
  std::string event = read_.substr(0, end);
  read_.erase(0, end + 2);
  return event;
}

std::string RawClient::ReadToEnd() {
  while (ReadMore()) {
  }
  return std::exchange(read_, {});
}

void RawClient::Close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

bool RawClient::ReadMore() {
  char block[1 << 14];
  const ssize_t got = ::recv(fd_, block, sizeof(block), 0);
  if (got > 0) read_.append(block, static_cast<size_t>(got));
  return got > 0;
}

}  // namespace recall
