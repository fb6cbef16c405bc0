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
  // `most`: threads that may wait at a time. `time`: that a client has for its response.
  explicit ClientRequests(size_t most = std::numeric_limits<size_t>::max(),
                          std::chrono::milliseconds time = std::chrono::minutes(10))
      : most_(most), time_(time) {}

  // Sends a request, by `send`, to the client of `exchange`, and waits for its response. Errors:
  // that of the client; kInternalError if too many threads wait, the time is over, `exchange` is
  // cancelled, or its revision has no such requests.
  RpcAnswer Ask(const McpExchange& exchange, std::string_view method, Json params,
                const std::function<void(const Json&)>& send);
  // Takes the response of a client. One that nobody waits for is ignored.
  void Take(RpcMessage response);
  // Must be called after an exchange is cancelled.
  void Wake();
  // No response can come any more: all requests fail.
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
