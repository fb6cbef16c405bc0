#pragma once

// Descriptors that other programs do not inherit: sockets, pipes, connections. Linux makes and
// marks them in one call; in the POSIX form a process that another thread starts in between
// inherits them. Functions return a descriptor or 0; -1 with errno. Thread-safe.

#include <sys/socket.h>
#include <sys/types.h>

#include <cstddef>

#include "storage/base/system_form.h"

namespace recall {

namespace linux_form {
int OpenSocket(int family, bool waits);
int OpenSocketPair(int ends[2]);
int OpenPipe(int ends[2]);
int AcceptConnection(int listener);
ssize_t SendBytes(int socket, const void* bytes, size_t count);
ssize_t SendMessage(int socket, const msghdr* message);
ssize_t ReceiveMessage(int socket, msghdr* message);
}  // namespace linux_form

namespace posix_form {
// A stream socket. `waits`: whether calls on it wait.
int OpenSocket(int family, bool waits);
// Two connected stream sockets of the machine, which wait.
int OpenSocketPair(int ends[2]);
// As pipe(2).
int OpenPipe(int ends[2]);
// Takes a connection that is waiting. Calls on it do not wait.
int AcceptConnection(int listener);
// As send(2) and sendmsg(2), to sockets that were made here; without SIGPIPE if the other end is
// closed.
ssize_t SendBytes(int socket, const void* bytes, size_t count);
ssize_t SendMessage(int socket, const msghdr* message);
// As recvmsg(2), until the message is whole.
ssize_t ReceiveMessage(int socket, msghdr* message);
}  // namespace posix_form

using system_form::AcceptConnection;
using system_form::OpenPipe;
using system_form::OpenSocket;
using system_form::OpenSocketPair;
using system_form::ReceiveMessage;
using system_form::SendBytes;
using system_form::SendMessage;

}  // namespace recall
