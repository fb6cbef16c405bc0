#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/run/execution/command_call.h"
#include "cli/server/http/http_server.h"
#include "cli/server/remote/remote_call.h"

namespace recall {

// Answers the calls of processes (run_by_server.h) about some stores. Thread-safe.
class RemoteEndpoint final {
 public:
  using FindCommandFn = const CommandInfo* (*)(std::string_view name);

  // `find`: the table of commands.
  explicit RemoteEndpoint(FindCommandFn find);

  // Adds a store whose calls are answered. The calls say where it is and which settings apply;
  // Their stages are reported to `listener`. Must be called before the first answer.
  void Add(const std::string& key, CallListener listener);

  // Answers a request for kRemoteCallPath, over a Unix socket only. An event stream without an
  // event means that the process must do the work itself.
  void Answer(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply);

 private:
  struct Store {
    std::string key;  // KeyOfStore
    CallListener listener;
    // The one that was used last is the next one to be used, because its store is open and warm.
    std::vector<std::unique_ptr<CallRunner>> free_runners;
  };

  // The store that a call is about; null if it is not for this server.
  Store* StoreOf(const RemoteCall& call);
  std::optional<ProcessAnswer> Run(Store& store, const ProcessCall& call, HttpReply& reply);

  const FindCommandFn find_;
  const std::optional<Standpoint> standpoint_;
  std::mutex mutex_;  // guards the runners of
  std::vector<Store> stores_;
};

}  // namespace recall
