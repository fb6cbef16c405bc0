#include "tests/index/embed/remote/local_server.h"

#include <netinet/in.h>
#include <poll.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

#include "storage/base/check.h"

namespace recall {
namespace {

constexpr int kPatienceMillis = 20'000;

// Appends the bytes that arrive. Returns: false at the end of the stream.
bool Receive(int connection, std::string* bytes) {
  pollfd polled = {connection, POLLIN, 0};
  if (::poll(&polled, 1, kPatienceMillis) <= 0) return false;
  char buffer[65536];
  const ssize_t count = ::recv(connection, buffer, sizeof(buffer), 0);
  if (count <= 0) return false;
  bytes->append(buffer, static_cast<size_t>(count));
  return true;
}

size_t BodySize(const std::string& head) {
  for (size_t at = 0; (at = head.find('\n', at)) != head.npos;) {
    ++at;
    if (::strncasecmp(head.c_str() + at, "content-length:", 15) == 0) {
      return std::strtoul(head.c_str() + at + 15, nullptr, 10);
    }
  }
  return 0;
}

}  // namespace

std::string Answer(int status, const std::string& body, const std::string& headers) {
  return "HTTP/1.1 " + std::to_string(status) +
         " Status\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n" +
         headers + "\r\n" + body;
}

LocalServer::LocalServer(Handler handler, End end) : handler_(std::move(handler)), end_(end) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* any = reinterpret_cast<sockaddr*>(&address);
  RECALL_CHECK(::bind(listener_, any, size) == 0 && ::listen(listener_, 16) == 0);
  RECALL_CHECK(::getsockname(listener_, any, &size) == 0);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { Serve(); });
}

LocalServer::~LocalServer() {
  stopped_ = true;
  ::shutdown(listener_, SHUT_RDWR);  // wakes the accepting thread
  thread_.join();
  ::close(listener_);
}

std::vector<ServedRequest> LocalServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void LocalServer::Serve() {
  while (!stopped_) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    ServeOne(connection);
    ::close(connection);
  }
}

void LocalServer::ServeOne(int connection) {
  std::string bytes;
  size_t end = bytes.npos;
  while ((end = bytes.find("\r\n\r\n")) == bytes.npos) {
    if (!Receive(connection, &bytes)) return;
  }
  ServedRequest request;
  request.head = bytes.substr(0, end + 2);
  request.body = bytes.substr(end + 4);
  while (request.body.size() < BodySize(request.head)) {
    if (!Receive(connection, &request.body)) return;
  }
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
  }
  const std::string answer = handler_(request);
  for (size_t sent = 0; sent < answer.size();) {
    const ssize_t count =
        ::send(connection, answer.data() + sent, answer.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) break;
    sent += static_cast<size_t>(count);
  }
  if (end_ == End::kCloses) return;
  while (::send(connection, " ", 1, MSG_NOSIGNAL) == 1) std::this_thread::yield();
}

}  // namespace recall
