#pragma once

// An HTTP/1.1 server for programs on the same machine: on Unix sockets, and on the loopback
// addresses if wanted. It does not interpret requests beyond HTTP. This header needs none of Boost.

#include <cstdint>
#include <memory>
#include <string>

#include "cli/server/http/http_types.h"
#include "storage/base/result.h"

namespace recall {

class HttpServer final {
 public:
  // Makes and adopts the sockets. A Unix socket has mode 0600, and all serve processes of the same
  // user and of root only; a socket that a crashed server left is replaced. Adopted descriptors
  // are closed at the end, and their files stay. Errors: InvalidArgument for a path that is too
  // long, or a descriptor that is neither a listening Unix socket nor TCP on a loopback address;
  // AlreadyExists if a server listens on the path; IoError.
  static Result<std::unique_ptr<HttpServer>> Listen(const HttpServerOptions& options,
                                                    HttpHandler* handler);
  ~HttpServer();

  // Returns: the port of TCP, of the first socket if there are several; 0 without TCP.
  uint16_t port() const;
  // Returns: the path of the first Unix socket; "" without one.
  std::string socket_path() const;
  // Serves until Stop, or for idle_stop. Requests in flight are then answered, for at most
  // stop_time; their connections are closed, and the Unix sockets that it made are removed.
  Status Run();
  // Thread-safe and async-signal-safe. A second call ends at once.
  void Stop();
  // A descriptor. Writing a byte to it has the effect of Stop.
  int stop_event() const;
  bool stopping() const;

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace recall
