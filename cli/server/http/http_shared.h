#pragma once

// What the connections of an HTTP server share. Used on the thread of the sockets, except where
// stated.

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <string>

#include "cli/server/http/http_types.h"
#include "cli/server/http/job_queue.h"

namespace recall {

// An open connection.
class HttpConnection {
 public:
  virtual ~HttpConnection() = default;
  // Closes the connection and notifies the worker that is answering its request.
  virtual void Close() noexcept = 0;
  // Whether no byte of the next request has been received.
  virtual bool idle() const = 0;
};

struct HttpShared {
  HttpShared(const HttpServerOptions& with, HttpHandler* answers)
      : options(with),
        handler(answers),
        jobs(with.most_waiting, with.most_waiting_of_client, with.workers) {}

  size_t connections() const { return waiting.size() + active.size(); }
  // Closes the connection that has waited longest for a request. Returns: whether there was one.
  bool CloseLongestWaiting();

  const HttpServerOptions options;
  HttpHandler* const handler;
  boost::asio::io_context io{1};
  boost::asio::io_context* disk = &io;  // runs the writes of bodies to the disk, which may block
  HttpJobQueue jobs;                    // thread-safe
  std::atomic<bool> stopping = false;
  bool ended = false;                    // all connections are closed
  std::list<HttpConnection*> waiting;    // for the end of a head; the longest first
  std::list<HttpConnection*> active;     // the others
  std::function<void()> on_last_closed;  // called when no connection is left
  size_t requests = 0;  // that are being received or answered, without streams of events
  std::chrono::steady_clock::time_point last_request = std::chrono::steady_clock::now();
  size_t bytes_of_bodies = 0;  // reserved for the bodies of requests
  size_t stored_bodies = 0;    // bodies that are being written to files
};

// Where a connection comes from.
struct HttpOrigin {
  bool over_tcp = false;
  uint16_t port = 0;   // of the server
  std::string socket;  // the path of the Unix socket
  HttpClientId client = 0;
};

}  // namespace recall
