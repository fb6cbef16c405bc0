#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "cli/execution/command_call.h"
#include "cli/http/http_server.h"
#include "cli/remote/remote_call.h"

namespace recall {

// Answers the calls of processes (run_by_server.h) about one store. Thread-safe.
class RemoteEndpoint final {
 public:
  using FindCommandFn = const CommandInfo* (*)(std::string_view name);

  // `store`: whose calls are answered. `find`: the table of commands.
  RemoteEndpoint(CallSettings settings, const FileIdentity& store, FindCommandFn find);

  // Answers a request for kRemoteCallPath, over the Unix socket only. An event stream without an
  // event means that the process must do the work itself.
  void Answer(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply);

 private:
  std::unique_ptr<CallRunner> TakeRunner();
  void GiveBack(std::unique_ptr<CallRunner> runner);

  const CallSettings settings_;
  const FileIdentity store_;
  const FindCommandFn find_;
  const std::optional<Standpoint> standpoint_;
  std::mutex mutex_;  // guards the following
  // The one that was used last is the next one to be used, because its store is open and warm.
  std::vector<std::unique_ptr<CallRunner>> free_;
};

}  // namespace recall
