#include "cli/server/remote/remote_endpoint.h"

#include <algorithm>
#include <utility>

#include "cli/server/http/cancel_when_gone.h"
#include "cli/server/serve/http_errors.h"

namespace recall {

RemoteEndpoint::RemoteEndpoint(FindCommandFn find) : find_(find), standpoint_(OwnStandpoint()) {}

void RemoteEndpoint::Add(const std::string& key, CallListener listener) {
  stores_.push_back({key, std::move(listener), {}});
}

void RemoteEndpoint::Answer(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
  if (request.head.over_tcp) {
    return reply->Send(HttpError(404, "not_found", "there is no " + request.head.path,
                                 "the command line uses the Unix socket"));
  }
  if (request.head.method != "POST") {
    HttpResponse response = HttpError(405, "invalid_argument", "use POST", "");
    response.headers.emplace_back("Allow", "POST");
    return reply->Send(std::move(response));
  }
  auto remote = DecodeCall(request.body);
  if (!remote || std::ranges::count(RemoteCommands(), remote->command) == 0) {
    return reply->Send(HttpError(400, "invalid_argument", "this is not a call of the command line",
                                 "programs use POST /v1/COMMAND"));
  }
  Store* const store = StoreOf(*remote);
  if (store == nullptr) {
    return reply->Send(HttpError(409, "unsupported",
                                 "the program, the store or its files are not those of the server",
                                 "restart the server"));
  }
  remote->call.call.command = find_(remote->command);
  reply->BeginEvents();  // tells the client that its call is being answered
  if (const auto answer = Run(*store, remote->call, *reply)) reply->Event(EncodeAnswer(*answer));
  reply->EndEvents();
}

RemoteEndpoint::Store* RemoteEndpoint::StoreOf(const RemoteCall& call) {
  const auto store = std::ranges::find(stores_, call.store, &Store::key);
  const bool ours = standpoint_ && call.standpoint == *standpoint_ && store != stores_.end() &&
                    KeyOfStore(call.call.store.path) == call.store;
  return ours ? &*store : nullptr;
}

std::optional<ProcessAnswer> RemoteEndpoint::Run(Store& store, const ProcessCall& call,
                                                 HttpReply& reply) {
  std::unique_ptr<CallRunner> runner;
  {
    const std::lock_guard lock(mutex_);
    if (!store.free_runners.empty()) {
      runner = std::move(store.free_runners.back());
      store.free_runners.pop_back();
    }
  }
  if (!runner) {
    CallSettings settings;
    settings.on_event = store.listener;
    runner = std::make_unique<CallRunner>(std::move(settings));
  }
  runner->Renew();
  std::optional<ProcessAnswer> answer;
  {
    const CancelWhenGone cancel(reply, [&] { runner->Cancel(); });
    answer = runner->RunForProcess(call);
  }
  const std::lock_guard lock(mutex_);
  store.free_runners.push_back(std::move(runner));
  return answer;
}

}  // namespace recall
