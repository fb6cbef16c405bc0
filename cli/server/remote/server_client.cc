#include "cli/server/remote/server_client.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cli/server/serve/request_terms.h"
#include "storage/base/own_process.h"
#include "storage/base/socket_peer.h"
#include "storage/base/sockets.h"

namespace recall {
namespace {

using std::chrono::steady_clock;

constexpr size_t kMostHeadBytes = 256 << 10;
// More than any whole answer.
constexpr size_t kMostResponseBytes = size_t{32} << 20;

Status Reason(std::string_view what) { return Status::IoError(std::string(what)); }

Status SystemReason(std::string_view what) {
  return Reason(std::string(what) + ": " + std::strerror(errno));
}

// A connection that never waits beyond a moment, nor after an interrupt.
class Connection final {
 public:
  explicit Connection(int interrupt) : fd_(OpenSocket(AF_UNIX, false)), interrupt_(interrupt) {}
  ~Connection() {
    if (fd_ >= 0) ::close(fd_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Status Open(const std::string& path) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof(address.sun_path))
      return Reason("the path of its socket is too long");
    std::ranges::copy(path, address.sun_path);
    if (fd_ < 0) return SystemReason("socket");
    // A server that has too many connections to accept fails with EAGAIN, without a wait.
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
      return Status::NotFound(std::string("no server listens: ") + std::strerror(errno));
    }
    const auto peer = PeerOfSocket(fd_);
    if (!peer) return SystemReason("the system does not say whose server it is");
    server_ = peer->process;
    const bool ours = peer->user == ::geteuid() && peer->group == ::getegid();
    return ours ? Status::Ok() : Reason("the server is one of another user or group");
  }

  Status Send(std::string_view bytes, steady_clock::time_point until) {
    while (!bytes.empty()) {
      const ssize_t sent = SendBytes(fd_, bytes.data(), bytes.size());
      if (sent >= 0) {
        bytes.remove_prefix(static_cast<size_t>(sent));
      } else if (errno == EAGAIN) {
        RECALL_TRY(Wait(POLLOUT, until));
      } else if (errno != EINTR) {
        return SystemReason("the server takes nothing");
      }
    }
    return {};
  }

  bool server_is_running() const { return server_ == 0 || IsRunning(server_); }

  // Appends what has arrived. Returns: false at the end. Errors: Busy if nothing has in time.
  Result<bool> Receive(std::string* received, steady_clock::time_point until) {
    char buffer[1 << 16];
    for (;;) {
      const ssize_t count = ::recv(fd_, buffer, sizeof(buffer), 0);
      if (count >= 0) {
        received->append(buffer, static_cast<size_t>(count));
        return count > 0;
      }
      if (errno == EAGAIN) {
        RECALL_TRY(Wait(POLLIN, until));
      } else if (errno != EINTR) {
        return Fail(SystemReason("the server has gone"));
      }
    }
  }

 private:
  Status Wait(short events, steady_clock::time_point until) const {
    pollfd polled[] = {{fd_, events, 0}, {interrupt_, POLLIN, 0}};
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - steady_clock::now());
      if (left.count() <= 0) return Status::Busy("the server does not answer in time");
      const int ready = ::poll(polled, 2, static_cast<int>(left.count()));
      if (ready < 0 && errno != EINTR) return SystemReason("poll");
      if (ready > 0 && polled[1].revents != 0) return Status::Cancelled("interrupted");
      if (ready > 0) return {};
    }
  }

  const int fd_;
  const int interrupt_;
  pid_t server_ = 0;
};

}  // namespace

Result<std::string> AskServer(const std::string& socket_path, std::string_view path,
                              std::string_view key, std::string_view body, const ServerTimes& times,
                              int interrupt) {
  constexpr std::string_view kHeadEnd = "\r\n\r\n";
  const auto now = steady_clock::now();
  Connection connection(interrupt);
  RECALL_TRY(connection.Open(socket_path));
  std::string request =
      "POST " + std::string(path) + " HTTP/1.1\r\nHost: recall\r\nConnection: close\r\n" +
      std::string(kStoreKeyHeader) + ": " + std::string(key) +
      "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
      std::string(kHeadEnd);
  request += body;
  RECALL_TRY(connection.Send(request, now + times.begin));
  std::string response;
  while (response.find(kHeadEnd) == response.npos) {
    RECALL_ASSIGN(const bool more, connection.Receive(&response, now + times.begin));
    if (!more) return Fail(Reason("the server has gone"));
    if (response.size() > kMostHeadBytes) return Fail(Reason("the server does not answer"));
  }
  const std::string status = response.substr(0, response.find("\r\n"));
  if (!status.starts_with("HTTP/1.1 200 ")) {
    return Fail(Reason("the server refuses: " + status));
  }
  for (bool more = true; more;) {
    const auto received = connection.Receive(&response, steady_clock::now() + times.look);
    const bool late = !received && received.error().code() == StatusCode::kBusy;
    if (!received && !(late && connection.server_is_running())) return Fail(received.error());
    more = late || *received;
    if (response.size() > kMostResponseBytes) return Fail(Reason("the server does not end"));
  }
  return response.substr(response.find(kHeadEnd) + kHeadEnd.size());
}

}  // namespace recall
