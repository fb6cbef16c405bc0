#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// A socket that accepts connections. Owns its descriptor, and the file of a Unix socket that it
// made; that of an adopted one belongs to whoever made it.
class ListeningSocket final {
 public:
  // A Unix socket of mode 0600. One that a crashed server left is replaced. Errors:
  // InvalidArgument for a path that is too long; AlreadyExists if a server listens on it; IoError.
  static Result<ListeningSocket> AtPath(const std::string& path);
  // Sockets on 127.0.0.1 and, where there is IPv6, ::1. `port`: 0 for any free one. Errors:
  // IoError.
  static Result<std::vector<ListeningSocket>> OnLoopback(uint16_t port);
  // A socket that another program listens on already: a Unix socket, or TCP on a loopback address.
  // Takes over the descriptor. Errors: InvalidArgument for anything else, which stays open.
  static Result<ListeningSocket> Adopt(int descriptor);

  ~ListeningSocket() { Close(); }
  ListeningSocket(ListeningSocket&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        path_(std::move(other.path_)),
        port_(other.port_),
        made_file_(std::exchange(other.made_file_, false)) {}
  ListeningSocket(const ListeningSocket&) = delete;
  ListeningSocket& operator=(const ListeningSocket&) = delete;

  int descriptor() const { return descriptor_; }
  bool is_tcp() const { return port_ != 0; }
  uint16_t port() const { return port_; }            // 0 for a Unix socket
  const std::string& path() const { return path_; }  // "" for TCP, and for one without a file
  // Closes the descriptor, and removes the file that it made.
  void Close();

 private:
  ListeningSocket(int descriptor, std::string path, uint16_t port)
      : descriptor_(descriptor), path_(std::move(path)), port_(port) {}

  int descriptor_;
  std::string path_;
  uint16_t port_;
  bool made_file_ = false;
};

}  // namespace recall
