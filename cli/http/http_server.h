#pragma once

// An HTTP/1.1 server for programs on the same machine: on a Unix socket, and on the loopback
// addresses if wanted. It knows nothing of what is asked. Boost.Beast parses requests; no header of
// it is needed to use this one.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// What is known of a request before its body is read.
struct HttpHead {
  std::string method;
  std::string path;                                          // "/v1/search", as sent
  std::string query;                                         // after '?', without it
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  bool over_tcp = false;                                     // not over the Unix socket

  // The value of the first header of this name, in lower case; "" if there is none.
  std::string_view Header(std::string_view name) const;
};

struct HttpRequest {
  HttpHead head;
  std::string body;
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// The way of an answer to its client: one response, or a stream of server-sent events. Thread-safe.
// If the client is gone, what is sent is discarded.
class HttpReply {
 public:
  virtual ~HttpReply() = default;
  virtual void Send(HttpResponse response) = 0;
  // Begins a stream of events, with status 200. Afterwards Event and EndEvents may be called.
  virtual void BeginEvents() = 0;
  // `lines`: of an event, each without its newline ("data: {}").
  virtual void Event(const std::vector<std::string>& lines) = 0;
  virtual void EndEvents() = 0;
  virtual bool client_is_gone() const = 0;
  // Calls `action` once if the client goes away before the answer is complete, on another thread.
  virtual void WhenClientGoes(std::function<void()> action) = 0;
};

// What a server answers. All functions are called on several threads at a time.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  // Looks at a request before its body is read. Returns: the response if it is refused; the
  // connection is then closed. Must not wait.
  virtual std::optional<HttpResponse> Refuse(const HttpHead& head) = 0;
  // Answers a request, on a worker thread; `worker` is its number. Must call Send or EndEvents.
  virtual void Answer(size_t worker, const HttpRequest& request,
                      const std::shared_ptr<HttpReply>& reply) = 0;
  // The server stops. Streams of events must end soon; it waits for them as for other requests.
  // Called once, on the thread of Run. Must not wait.
  virtual void Stopping() {}
};

struct HttpServerOptions {
  std::string socket_path;       // "": no Unix socket
  std::optional<uint16_t> port;  // of the loopback addresses; 0: any free one; unset: no TCP
  size_t workers = 4;            // requests that are answered at a time
  size_t most_waiting = 64;      // further requests are answered with 503
  size_t most_connections = 4096;
  size_t most_head_bytes = 16 << 10;            // more: 431
  size_t most_body_bytes = 1 << 20;             // more: 413
  std::chrono::milliseconds head_time{10'000};  // for a whole head, from its first byte
  std::chrono::milliseconds body_time{30'000};
  std::chrono::milliseconds idle_time{120'000};  // between requests of a connection
  std::chrono::milliseconds stop_time{10'000};   // for requests in flight when it stops
};

class HttpServer final {
 public:
  // Binds the sockets. The Unix socket has mode 0600 and serves processes of the same user only; a
  // socket that a crashed server left is replaced. Errors: InvalidArgument for a path that is too
  // long; AlreadyExists if a server listens on it; IoError.
  static Result<std::unique_ptr<HttpServer>> Listen(const HttpServerOptions& options,
                                                    HttpHandler* handler);
  ~HttpServer();

  // The bound port of TCP; 0 without it.
  uint16_t port() const;
  // Serves until Stop. Requests in flight are then answered, for at most stop_time; their
  // connections are closed, and the Unix socket is removed.
  Status Run();
  // Thread-safe and async-signal-safe. A second call ends at once.
  void Stop();
  // The eventfd that Stop writes to; writing to it is the same.
  int stop_event() const;
  bool stopping() const;

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace recall
