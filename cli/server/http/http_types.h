#pragma once

// What an HTTP server and those who answer its requests exchange. No header of Boost is needed.

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

// What is known of a request before its body is read.
struct HttpHead {
  std::string method;
  std::string path;                                          // "/v1/search", as sent
  std::string query;                                         // after '?', without it
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  bool over_tcp = false;                                     // not over a Unix socket
  uint16_t port = 0;                                         // of the server, over TCP
  std::string socket = {};  // the path of the Unix socket; "" over TCP and for one without a file

  // The value of the first header of this name, in lower case; "" if there is none.
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

// How a request is received and answered, which its head decides.
struct HttpTerms {
  // The body goes into a temporary file and may be much longer.
  bool store_body = false;
  // HttpServerOptions::answer_time applies. Otherwise only the time that the client gives it.
  bool limited_time = true;
  // Is sent at once, without a worker: for what never waits, and must not wait behind others.
  std::optional<HttpResponse> answer = std::nullopt;
};

// The way of an answer to its client: one response, or a stream of server-sent events. Thread-safe.
// If the client is gone, what is sent is discarded. It also counts as gone once it was answered 504
// because the time of its request had passed.
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
  // See CancelWhenGone (cancel_when_gone.h).
  virtual void WhenClientGoes(std::function<void()> action) = 0;
};

// What a server answers. All functions are called on several threads at a time.
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
  // The server stops. Streams of events must end soon; it waits for them as for other requests.
  // Called once, on the thread of Run. Must not wait.
  virtual void Stopping() {}
};

struct HttpServerOptions {
  std::vector<std::string> socket_paths;  // Unix sockets to make
  std::optional<uint16_t> port;           // of the loopback addresses; 0: any free one; unset: none
  std::vector<int> adopted;               // descriptors of sockets that another program listens on
  size_t workers = 4;                     // requests that are answered at a time
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
  size_t most_stored_bodies = 4;                   // at a time; more: 503
  std::string stored_directory = "/tmp";           // where stored bodies are written
  std::chrono::milliseconds head_time{10'000};     // for a whole head, from its first byte
  std::chrono::milliseconds body_time{30'000};     // for a whole body; of a stored one, each part
  // From the head to the beginning of the answer; then 504. The header X-Recall-Deadline-Ms lowers
  // it. 0: only that header gives a limit.
  std::chrono::milliseconds answer_time{30'000};
  std::chrono::milliseconds idle_time{120'000};  // between requests of a connection
  std::chrono::milliseconds stop_time{10'000};   // for requests in flight when it stops
  // It stops after this time without a request; streams of events are none. 0: never.
  std::chrono::milliseconds idle_stop{0};
};

}  // namespace recall
