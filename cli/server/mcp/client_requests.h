#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "cli/server/mcp/json_rpc.h"
#include "cli/server/mcp/service.h"

namespace recall {

// The requests of a server to its clients that have no response yet. Thread-safe.
class ClientRequests final {
 public:
  // At most `most` threads wait at a time, and each for at most `time`.
  explicit ClientRequests(size_t most = std::numeric_limits<size_t>::max(),
                          std::chrono::milliseconds time = std::chrono::minutes(10))
      : most_(most), time_(time) {}

  // Sends a request to the client of `exchange` with `send`, and waits for the response. Errors:
  // that of the client; kInternalError if too many threads wait, the time is over, `exchange` is
  // cancelled, or its revision has no such requests.
  RpcAnswer Ask(const McpExchange& exchange, std::string_view method, Json params,
                const std::function<void(const Json&)>& send);
  // Hands the response of a client to the thread that waits for it. Other responses are ignored.
  void Take(RpcMessage response);
  // Wakes the threads that wait, so that they notice a cancelled exchange.
  void Wake();
  // Called when no response can come any more: all requests fail.
  void End();

 private:
  const size_t most_;
  const std::chrono::milliseconds time_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::optional<RpcAnswer>> waiting_;  // by id
  bool ended_ = false;
};

}  // namespace recall
