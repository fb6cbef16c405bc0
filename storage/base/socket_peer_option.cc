#include <sys/socket.h>

#include "storage/base/socket_peer.h"

namespace recall {

std::optional<SocketPeer> PeerOfSocket(int socket) {
  ucred peer = {};
  socklen_t size = sizeof(peer);
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  return SocketPeer{peer.uid, peer.gid, peer.pid};
}

}  // namespace recall
