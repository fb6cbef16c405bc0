#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "storage/base/sockets.h"
#include "storage/base/write_whole.h"

namespace recall::posix_form {
namespace {

#ifdef MSG_NOSIGNAL
constexpr int kWithoutSignal = MSG_NOSIGNAL;
#else
constexpr int kWithoutSignal = 0;
#endif

// Marks a new descriptor as closed on exec and, if `waits` is false, as one whose calls do not
// wait.
bool Mark(int descriptor, bool waits) {
  return ::fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 &&
         (waits || ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0);
}

bool MarkSocket(int socket, bool waits) {
#ifdef SO_NOSIGPIPE
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof(on));
#endif
  return Mark(socket, waits);
}

int MarkedSocket(int socket, bool waits) {
  return socket >= 0 && MarkSocket(socket, waits) ? socket : CloseAfterError(socket);
}

int CloseBoth(int ends[2]) {
  CloseAfterError(ends[0]);
  return CloseAfterError(ends[1]);
}

}  // namespace

int OpenSocket(int family, bool waits) {
  return MarkedSocket(::socket(family, SOCK_STREAM, 0), waits);
}

int OpenSocketPair(int ends[2]) {
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -1;
  return MarkSocket(ends[0], true) && MarkSocket(ends[1], true) ? 0 : CloseBoth(ends);
}

int OpenPipe(int ends[2]) {
  if (::pipe(ends) != 0) return -1;
  return Mark(ends[0], true) && Mark(ends[1], true) ? 0 : CloseBoth(ends);
}

int AcceptConnection(int listener) {
  return MarkedSocket(::accept(listener, nullptr, nullptr), false);
}

ssize_t SendBytes(int socket, const void* bytes, size_t count) {
  return ::send(socket, bytes, count, kWithoutSignal);
}

ssize_t SendMessage(int socket, const msghdr* message) {
  return ::sendmsg(socket, message, kWithoutSignal);
}

ssize_t ReceiveMessage(int socket, msghdr* message) {
  const ssize_t received = ::recvmsg(socket, message, MSG_WAITALL);
  if (received < 0) return received;
  for (cmsghdr* header = CMSG_FIRSTHDR(message); header != nullptr;
       header = CMSG_NXTHDR(message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    for (size_t at = CMSG_LEN(0); at + sizeof(int) <= header->cmsg_len; at += sizeof(int)) {
      int descriptor;
      std::memcpy(&descriptor, reinterpret_cast<const char*>(header) + at, sizeof(descriptor));
      ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
  }
  return received;
}

}  // namespace recall::posix_form
