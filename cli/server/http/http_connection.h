#pragma once

// The connections of an HTTP server. All of this is used on the thread of the sockets, except what
// says otherwise.

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>

#include "cli/server/http/http_types.h"
#include "cli/server/http/job_queue.h"

namespace recall {

// An open connection.
class HttpConnection {
 public:
  virtual ~HttpConnection() = default;
  // Closes the connection; who answers its request is told.
  virtual void Close() noexcept = 0;
  // No byte of a request has been received.
  virtual bool idle() const = 0;
};

// What all connections of a server share.
struct HttpShared {
  HttpShared(const HttpServerOptions& with, HttpHandler* answers)
      : options(with), handler(answers), jobs(with.most_waiting, with.most_waiting_of_client) {}

  size_t connections() const { return waiting.size() + active.size(); }
  // Closes the connection that has waited longest for a request. Returns: whether there was one.
  bool CloseLongestWaiting();

  const HttpServerOptions options;
  HttpHandler* const handler;
  boost::asio::io_context io{1};
  boost::asio::io_context* disk = &io;  // where bodies are written, because that may wait
  HttpJobQueue jobs;                    // thread-safe
  std::atomic<bool> stopping = false;
  bool ended = false;                    // all connections are closed
  std::list<HttpConnection*> waiting;    // for a whole head, since the longest time first
  std::list<HttpConnection*> active;     // the others
  std::function<void()> on_last_closed;  // called when no connection is left
  size_t requests = 0;                   // being received or answered; without streams of events
  std::chrono::steady_clock::time_point last_request = std::chrono::steady_clock::now();
  size_t bytes_of_bodies = 0;  // that are reserved for the requests
  size_t stored_bodies = 0;
};

// Where a connection comes from.
struct HttpOrigin {
  bool over_tcp = false;
  uint16_t port = 0;   // of the server
  std::string socket;  // the path of the Unix socket
  HttpClientId client = 0;
};

// Serves the connection. Takes over the descriptor. `refuse`: answers 503 without reading. Throws
// std::bad_alloc; the descriptor is then closed.
void StartHttpConnection(const std::shared_ptr<HttpShared>& shared, int descriptor,
                         const HttpOrigin& origin, bool refuse);

}  // namespace recall
