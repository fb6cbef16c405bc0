#pragma once

// Requests and responses of an HTTP server. This header needs none of Boost.

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

namespace recall {

// The head of a request, which is known before its body is read.
struct HttpHead {
  std::string method;
  std::string path;                                          // "/v1/search", as sent
  std::string query;                                         // after '?', without it
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  bool over_tcp = false;                                     // not over a Unix socket
  uint16_t port = 0;                                         // of the server, over TCP
  std::string socket = {};  // the path of the Unix socket; "" over TCP and for one without a file

  // Returns: the value of the first header with this name, given in lower case; "" if there is
  // none.
  std::string_view Header(std::string_view name) const;
};

class BodyFile;

struct HttpRequest {
  HttpHead head;
  std::string body;
  std::shared_ptr<const BodyFile> stored = nullptr;  // instead of `body`: HttpTerms::store_body
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// How a request is received and answered. The head of the request decides it.
struct HttpTerms {
  // The body goes into a temporary file and may be much longer.
  bool store_body = false;
  // Whether HttpServerOptions::answer_time applies. Otherwise only the client limits the time.
  bool limited_time = true;
  // The other server that the answer waits for, as messages name it; "" if there is none. While
  // that server is silent, its requests leave workers to others (HttpJobQueue).
  std::string waits_for = {};
  // A response that is sent at once, without a worker: for requests that must not wait for others.
  std::optional<HttpResponse> answer = std::nullopt;
};

// Sends the answer of a request: one response, or a stream of server-sent events. Thread-safe. If
// the client is gone, what is sent is discarded. A client that was answered 504, because the time
// of its request had passed, counts as gone.
class HttpReply {
 public:
  virtual ~HttpReply() = default;
  virtual void Send(HttpResponse response) = 0;
  // Begins a stream of events, with status 200. Afterwards Event and EndEvents may be called.
  virtual void BeginEvents() = 0;
  // Sends an event. Each of its lines is given without a newline ("data: {}").
  virtual void Event(const std::vector<std::string>& lines) = 0;
  virtual void EndEvents() = 0;
  virtual bool client_is_gone() const = 0;
  // Calls `action` once if the client goes away before the answer is complete, on another thread.
  // See CancelWhenGone (cancel_when_gone.h).
  virtual void WhenClientGoes(std::function<void()> action) = 0;
};

// Answers the requests of a server. All functions are called on several threads at a time.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  // Looks at a request before its body is read. Returns: the response if it is refused; the
  // connection is then closed. Must not wait.
  virtual std::optional<HttpResponse> Refuse(const HttpHead& head) = 0;
  // Called for a request that is not refused. Must not wait.
  virtual HttpTerms TermsOf(const HttpHead&) { return {}; }
  // Answers a request, on a worker thread; `worker` is its number. Must call Send or EndEvents.
  virtual void Answer(size_t worker, const HttpRequest& request,
                      const std::shared_ptr<HttpReply>& reply) = 0;
  // Called once when the server stops, on the thread of Run. Streams of events must end soon,
  // because the server waits for them as for other requests. Must not wait.
  virtual void Stopping() {}
};

struct HttpServerOptions {
  std::vector<std::string> socket_paths;  // Unix sockets to make
  std::optional<uint16_t> port;           // of the loopback addresses; 0: any free one; unset: none
  std::vector<int> adopted;               // descriptors of sockets that another program listens on
  size_t workers = 4;                     // threads that answer requests
  size_t most_waiting = 64;               // further requests are answered with 503
  // Of one client: more are answered with 429. A client is a process that is connected to a Unix
  // socket. Nothing tells clients over TCP apart, so together they count as one.
  size_t most_waiting_of_client = 16;
  // Beyond these, and beyond what the limit on descriptors allows, the connection that has waited
  // longest for a request is closed; without such a one, the new one is answered with 503.
  size_t most_connections = 4096;
  size_t most_head_bytes = 16 << 10;               // more: 431
  size_t most_body_bytes = 1 << 20;                // more: 413
  size_t most_bytes_of_bodies = 64 << 20;          // of all requests together; more: 503
  uint64_t most_stored_bytes = uint64_t{4} << 30;  // of a stored body; more: 413
  size_t most_stored_bodies = 4;                   // that are received at a time; more: 503
  std::string stored_directory = "/tmp";           // where stored bodies are written
  std::chrono::milliseconds head_time{10'000};     // for a whole head, from its first byte
  std::chrono::milliseconds body_time{30'000};     // for a whole body; of a stored one, each part
  // From the head to the beginning of the answer; then 504. The header X-Recall-Deadline-Ms lowers
  // it. 0: only that header gives a limit.
  std::chrono::milliseconds answer_time{30'000};
  std::chrono::milliseconds idle_time{120'000};  // between requests of a connection
  std::chrono::milliseconds stop_time{10'000};   // for requests in flight when it stops
  // The server stops after this time without a request; a stream of events does not count as one.
  // 0: never.
  std::chrono::milliseconds idle_stop{0};
};

}  // namespace recall
