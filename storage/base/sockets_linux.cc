#include <fcntl.h>
#include <unistd.h>

#include "storage/base/sockets.h"

namespace recall::linux_form {

int OpenSocket(int family, bool waits) {
  return ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | (waits ? 0 : SOCK_NONBLOCK), 0);
}

int OpenSocketPair(int ends[2]) {
  return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}

int OpenPipe(int ends[2]) { return ::pipe2(ends, O_CLOEXEC); }

int AcceptConnection(int listener) {
  return ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

ssize_t SendBytes(int socket, const void* bytes, size_t count) {
  return ::send(socket, bytes, count, MSG_NOSIGNAL);
}

ssize_t SendMessage(int socket, const msghdr* message) {
  return ::sendmsg(socket, message, MSG_NOSIGNAL);
}

ssize_t ReceiveMessage(int socket, msghdr* message) {
  return ::recvmsg(socket, message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
}

}  // namespace recall::linux_form
