#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "storage/base/socket_peer.h"

namespace recall {

std::optional<SocketPeer> PeerOfSocket(int socket) {
  SocketPeer peer;
  if (::getpeereid(socket, &peer.user, &peer.group) != 0) return std::nullopt;
#ifdef LOCAL_PEERPID
  socklen_t size = sizeof(peer.process);
  if (::getsockopt(socket, SOL_LOCAL, LOCAL_PEERPID, &peer.process, &size) != 0) peer.process = 0;
#endif
  return peer;
}

}  // namespace recall
