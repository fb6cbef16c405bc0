#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "cli/server/http/http_types.h"

namespace recall {

// Identifies a client: all connections with the same number belong to one.
using HttpClientId = uint64_t;

// What a worker needs to answer a request.
struct HttpJob {
  HttpRequest request;
  std::shared_ptr<HttpReply> reply;
  HttpClientId client = 0;
};

// The requests that wait for a worker, first in, first out. A client may have only some of the
// places, so that one client with many requests leaves room for others. Thread-safe.
class HttpJobQueue final {
 public:
  // At most `most` requests may wait, and of them at most `most_of_client` of one client.
  HttpJobQueue(size_t most, size_t most_of_client) : most_(most), most_of_client_(most_of_client) {}

  enum class Pushed { kYes, kFull, kClientFull };
  Pushed Push(HttpJob job);
  // Waits for a job. Calls `when_idle` once if none comes for two seconds. Returns: nothing once
  // the queue is ended and empty.
  std::optional<HttpJob> Pop(const std::function<void()>& when_idle = {});
  // Removes the job that has this reply, if no worker has taken it yet.
  void Drop(const HttpReply* reply);
  void End();

 private:
  HttpJob Take(std::deque<HttpJob>::iterator job);

  const size_t most_;
  const size_t most_of_client_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<HttpJob> jobs_;
  std::map<HttpClientId, size_t> waiting_;  // how many jobs each client has in the queue
  bool ended_ = false;
};

}  // namespace recall
