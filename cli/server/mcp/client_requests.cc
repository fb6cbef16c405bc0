#include "cli/server/mcp/client_requests.h"

#include <utility>

#include "storage/base/random.h"

namespace recall {
namespace {

tl::unexpected<RpcError> Unanswered(std::string why) {
  return RpcFailure(RpcCode::kInternalError, std::move(why));
}

}  // namespace

RpcAnswer ClientRequests::Ask(const McpExchange& exchange, std::string_view method, Json params,
                              const std::function<void(const Json&)>& send) {
  if (exchange.context().era == McpEra::kModern) {
    return Unanswered("this revision has no requests to clients");
  }
  // Over HTTP only the id connects a response with its request, so it must be impossible to guess.
  const std::string id = RandomHex(16);
  std::unique_lock lock(mutex_);
  if (waiting_.size() >= most_) return Unanswered("too many requests wait for their clients");
  const auto at = waiting_.emplace(id, std::nullopt).first;
  lock.unlock();
  send(RpcRequest(id, method, std::move(params)));
  lock.lock();
  const bool in_time =
      changed_.wait_for(lock, time_, [&] { return at->second || ended_ || exchange.cancelled(); });
  std::optional<RpcAnswer> answer = std::move(at->second);
  waiting_.erase(at);
  if (answer) return *std::move(answer);
  return Unanswered(in_time ? "the client is gone" : "the client gave no response in time");
}

void ClientRequests::Take(RpcMessage response) {
  if (!response.id.is_string()) return;
  const std::lock_guard lock(mutex_);
  const auto at = waiting_.find(response.id.get<std::string>());
  if (at == waiting_.end()) return;
  at->second = std::move(response.answer);
  changed_.notify_all();
}

void ClientRequests::Wake() {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void ClientRequests::End() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

}  // namespace recall
