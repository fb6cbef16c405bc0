#include "cli/server/http/listening_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "storage/base/sockets.h"

namespace recall {
namespace {

// The address of a socket of any family.
union SocketAddress {
  sockaddr any;
  sockaddr_un local;
  sockaddr_in v4;
  sockaddr_in6 v6;
};

Status CannotListen(const std::string& where, int error) {
  return Status::IoError("cannot listen on " + where + ": " + std::strerror(error),
                         "choose another port or socket");
}

SocketAddress LocalAddress(const std::string& path) {
  SocketAddress address{};
  address.local.sun_family = AF_UNIX;
  path.copy(address.local.sun_path, sizeof(address.local.sun_path) - 1);
  return address;
}

// Whether a server accepts connections on the socket.
bool IsServed(const std::string& path) {
  const int fd = OpenSocket(AF_UNIX, true);
  if (fd < 0) return false;
  const SocketAddress address = LocalAddress(path);
  const bool served = ::connect(fd, &address.any, sizeof(address.local)) == 0;
  ::close(fd);
  return served;
}

bool IsSocket(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISSOCK(info.st_mode);
}

int Option(int descriptor, int name) {
  int value = -1;
  socklen_t size = sizeof(value);
  return ::getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

// The port if it is on a loopback address, else 0.
uint16_t LoopbackPort(const SocketAddress& address) {
  if (address.any.sa_family == AF_INET) {
    const bool loopback = ntohl(address.v4.sin_addr.s_addr) >> 24 == 127;
    return loopback ? ntohs(address.v4.sin_port) : 0;
  }
  const bool loopback = IN6_IS_ADDR_LOOPBACK(&address.v6.sin6_addr) != 0;
  return loopback ? ntohs(address.v6.sin6_port) : 0;
}

uint16_t BoundPort(int descriptor) {
  SocketAddress address{};
  socklen_t size = sizeof(address);
  return ::getsockname(descriptor, &address.any, &size) == 0 ? LoopbackPort(address) : 0;
}

}  // namespace

Result<ListeningSocket> ListeningSocket::AtPath(const std::string& path) {
  if (path.size() >= sizeof(sockaddr_un{}.sun_path)) {
    return Fail(Status::InvalidArgument("the path of the socket is too long: " + path,
                                        "it has at most 107 bytes"));
  }
  if (IsServed(path)) {
    return Fail(Status::AlreadyExists("a server is listening on " + path, "stop it first"));
  }
  if (IsSocket(path)) ::unlink(path.c_str());
  ListeningSocket socket(OpenSocket(AF_UNIX, false), path, 0);
  const SocketAddress address = LocalAddress(path);
  // The socket must never be open to others, not even for a moment.
  const mode_t mask = ::umask(0177);
  const int bound =
      socket.descriptor_ < 0 ? -1 : ::bind(socket.descriptor_, &address.any, sizeof(address.local));
  const int error = errno;
  ::umask(mask);
  if (bound != 0) return Fail(CannotListen(path, error));
  socket.made_file_ = true;
  if (::listen(socket.descriptor_, SOMAXCONN) != 0) return Fail(CannotListen(path, errno));
  return socket;
}

Result<std::vector<ListeningSocket>> ListeningSocket::OnLoopback(uint16_t port) {
  std::vector<ListeningSocket> sockets;
  for (const int family : {AF_INET, AF_INET6}) {
    ListeningSocket socket(OpenSocket(family, false), "", 0);
    const int fd = socket.descriptor_;
    SocketAddress address{};
    socklen_t size = sizeof(address.v4);
    if (family == AF_INET) {
      address.v4.sin_family = AF_INET;
      address.v4.sin_port = htons(port);
      address.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else {
      address.v6.sin6_family = AF_INET6;
      address.v6.sin6_port = htons(port);
      address.v6.sin6_addr = in6addr_loopback;
      size = sizeof(address.v6);
    }
    const int on = 1;
    bool ok = fd >= 0 && ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0;
    if (family == AF_INET6) {
      ok = ok && ::setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) == 0;
    }
    ok = ok && ::bind(fd, &address.any, size) == 0 && ::listen(fd, SOMAXCONN) == 0;
    if (!ok && family == AF_INET6) break;  // not every machine has it
    if (!ok) return Fail(CannotListen("127.0.0.1:" + std::to_string(port), errno));
    socket.port_ = port = BoundPort(fd);
    sockets.push_back(std::move(socket));
  }
  return sockets;
}

Result<ListeningSocket> ListeningSocket::Adopt(int descriptor) {
  const auto refuse = [&](const std::string& why) {
    return Fail(Status::InvalidArgument(
        "cannot serve on the passed descriptor " + std::to_string(descriptor) + ": " + why,
        "pass listening stream sockets: Unix sockets, or TCP on 127.0.0.1 or [::1]"));
  };
  SocketAddress address{};
  socklen_t size = sizeof(address);
  if (::getsockname(descriptor, &address.any, &size) != 0) return refuse("it is no socket");
  if (Option(descriptor, SO_TYPE) != SOCK_STREAM) return refuse("it is no stream socket");
  if (Option(descriptor, SO_ACCEPTCONN) != 1) return refuse("it does not listen");
  const sa_family_t family = address.any.sa_family;
  if (family == AF_UNIX) {
    // An address without a name ends before its path, one without a file begins it with a zero.
    const size_t offset = offsetof(sockaddr_un, sun_path);
    const size_t most =
        size > offset ? std::min<size_t>(size - offset, sizeof(address.local.sun_path)) : 0;
    return ListeningSocket(
        descriptor, std::string(address.local.sun_path, ::strnlen(address.local.sun_path, most)),
        0);
  }
  if (family != AF_INET && family != AF_INET6) {
    return refuse("it is neither a Unix socket nor TCP");
  }
  const uint16_t port = LoopbackPort(address);
  if (port == 0) return refuse("other machines could connect to its address");
  return ListeningSocket(descriptor, "", port);
}

void ListeningSocket::Close() {
  if (descriptor_ < 0) return;
  if (std::exchange(made_file_, false)) ::unlink(path_.c_str());
  ::close(std::exchange(descriptor_, -1));
}

}  // namespace recall
