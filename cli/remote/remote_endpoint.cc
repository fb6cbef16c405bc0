#include "cli/remote/remote_endpoint.h"

#include <algorithm>
#include <utility>

#include "cli/http/cancel_when_gone.h"
#include "cli/serve/http_errors.h"

namespace recall {

RemoteEndpoint::RemoteEndpoint(CallSettings settings, const FileIdentity& store, FindCommandFn find)
    : settings_(std::move(settings)), store_(store), find_(find), standpoint_(OwnStandpoint()) {}

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
  if (!standpoint_ || remote->standpoint != *standpoint_ || remote->store != store_ ||
      IdentityOfFile(remote->call.store.path) != store_) {
    return reply->Send(HttpError(409, "unsupported",
                                 "the program, the store or its files are not those of the server",
                                 "restart the server"));
  }
  remote->call.call.command = find_(remote->command);
  reply->BeginEvents();  // tells the client that its call is being answered
  std::unique_ptr<CallRunner> runner = TakeRunner();
  runner->Renew();
  std::optional<ProcessAnswer> answer;
  {
    const CancelWhenGone cancel(*reply, [&] { runner->Cancel(); });
    answer = runner->RunForProcess(remote->call);
  }
  GiveBack(std::move(runner));
  if (answer) reply->Event(EncodeAnswer(*answer));
  reply->EndEvents();
}

std::unique_ptr<CallRunner> RemoteEndpoint::TakeRunner() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return std::make_unique<CallRunner>(settings_);
  std::unique_ptr<CallRunner> runner = std::move(free_.back());
  free_.pop_back();
  return runner;
}

void RemoteEndpoint::GiveBack(std::unique_ptr<CallRunner> runner) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(runner));
}

}  // namespace recall
