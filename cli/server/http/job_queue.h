#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cli/server/http/http_types.h"

namespace recall {

// Identifies a client: all connections with the same number belong to one.
using HttpClientId = uint64_t;

// What a worker needs to answer a request.
struct HttpJob {
  HttpRequest request;
  std::shared_ptr<HttpReply> reply;
  HttpClientId client = 0;
  std::string waits_for = {};  // HttpTerms::waits_for
};

// The requests that wait for a worker, first in, first out. A client may have only some of the
// places, so that one client with many requests leaves room for others. Requests that wait for
// another server may have only some of the workers, so that a silent server does not hold them all:
// those of one server half of them, and those of all servers all but one. Thread-safe.
class HttpJobQueue final {
 public:
  // At most `most` requests may wait, and of them at most `most_of_client` of one client.
  HttpJobQueue(size_t most, size_t most_of_client, size_t workers)
      : most_(most),
        most_of_client_(most_of_client),
        most_for_server_(std::max<size_t>(workers / 2, 1)),
        most_for_servers_(std::max<size_t>(workers, 2) - 1) {}

  enum class Pushed { kYes, kFull, kClientFull };
  Pushed Push(HttpJob job);
  // Waits for a job that may be answered. Calls `when_idle` once if none comes for two seconds.
  // Returns: nothing once the queue is ended and empty.
  std::optional<HttpJob> Pop(const std::function<void()>& when_idle = {});
  // Must be called once a job from Pop is answered, with its `waits_for`.
  void Done(const std::string& waited_for);
  // Removes the job that has this reply, if no worker has taken it yet.
  void Drop(const HttpReply* reply);
  void End();

 private:
  using Jobs = std::deque<HttpJob>;
  // The first job that may be answered now, or the end.
  Jobs::iterator NextJob();
  HttpJob Take(Jobs::iterator job);

  const size_t most_;
  const size_t most_of_client_;
  const size_t most_for_server_;
  const size_t most_for_servers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Jobs jobs_;
  std::map<HttpClientId, size_t> waiting_;   // how many jobs each client has in the queue
  std::map<std::string, size_t> answering_;  // jobs that are being answered, by waits_for
  size_t answering_for_servers_ = 0;         // the sum of answering_
  bool ended_ = false;
};

}  // namespace recall
