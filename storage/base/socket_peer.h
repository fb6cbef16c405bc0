#pragma once

// Whose process is at the other end of a Unix socket. POSIX has no call for it:
// socket_peer_option.cc asks for the option SO_PEERCRED of Linux, socket_peer_call.cc calls
// getpeereid(3) of BSD, and the build takes the one that the C library has.

#include <sys/types.h>

#include <optional>

namespace recall {

struct SocketPeer {
  uid_t user = 0;
  gid_t group = 0;
  pid_t process = 0;  // 0: not known
};

// Returns: nothing, with errno, if the system does not say. Thread-safe.
std::optional<SocketPeer> PeerOfSocket(int socket);

}  // namespace recall
