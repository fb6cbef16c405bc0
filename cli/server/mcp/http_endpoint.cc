// MCP over HTTP.
//
// The era of a request is in its body, and its headers repeat it: `MCP-Protocol-Version`, and from
// 2026-07-28 on `Mcp-Method` and `Mcp-Name`, so that proxies need not read bodies. Headers that
// contradict the body are an error, because a proxy may have decided by them.

#include "cli/server/mcp/http_endpoint.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "cli/server/http/cancel_when_gone.h"
#include "cli/server/mcp/dispatcher.h"

namespace recall {
namespace {

constexpr std::string_view kVersionHeader = "mcp-protocol-version";
// The revision of a client that sends no version header (specification of 2025-06-18).
constexpr std::string_view kAssumedRevision = "2025-03-26";

HttpResponse JsonResponseOf(int status, const Json& body) {
  HttpResponse response;
  response.status = status;
  response.body = PrintJson(body);
  return response;
}

// The HTTP status of an error. Legacy clients expect 200 and read the body for most errors.
int StatusOf(const RpcError& error, McpEra era) {
  switch (error.code) {
    case RpcCode::kParseError:
    case RpcCode::kInvalidRequest:
    case RpcCode::kHeaderMismatch:
    case RpcCode::kMissingClientCapability:
    case RpcCode::kUnsupportedProtocolVersion:
      return 400;
    case RpcCode::kMethodNotFound:
      return era == McpEra::kModern ? 404 : 200;
    default:
      return 200;
  }
}

RpcError Mismatch(std::string_view header, std::string_view in_header, std::string_view in_body) {
  return {RpcCode::kHeaderMismatch,
          "the header " + std::string(header) + " is '" + std::string(in_header) +
              "', but the body says '" + std::string(in_body) + "'",
          nullptr};
}

// Returns the value that the header `Mcp-Name` must have for this body: the name of a tool or
// prompt, or the URI of a resource.
std::string NameOf(const RpcMessage& request) {
  const std::string name = JsonText(request.params, "name");
  return name.empty() ? JsonText(request.params, "uri") : name;
}

// Compares the headers of a modern request with its body. Returns: the first difference.
std::optional<RpcError> CheckHeaders(const HttpHead& head, const RpcMessage& request,
                                     const McpContext& context) {
  const std::string_view version = head.Header(kVersionHeader);
  if (version != context.revision)
    return Mismatch("MCP-Protocol-Version", version, context.revision);
  const std::string_view method = head.Header("mcp-method");
  if (method != request.method) return Mismatch("Mcp-Method", method, request.method);
  constexpr std::array<std::string_view, 3> kNamed = {"tools/call", "prompts/get",
                                                      "resources/read"};
  if (std::ranges::find(kNamed, request.method) == kNamed.end()) return std::nullopt;
  const std::string_view name = head.Header("mcp-name");
  if (name != NameOf(request)) return Mismatch("Mcp-Name", name, NameOf(request));
  return std::nullopt;
}

class HttpExchange final : public McpExchange {
 public:
  HttpExchange(McpContext context, std::shared_ptr<HttpReply> reply, ClientRequests* requests)
      : context_(std::move(context)), reply_(std::move(reply)), requests_(requests) {}

  const McpContext& context() const override { return context_; }
  bool cancelled() const override { return reply_->client_is_gone(); }

  void Notify(std::string_view method, Json params) override {
    const std::lock_guard lock(mutex_);
    SendEvent(RpcNotification(method, std::move(params)));
  }
  RpcAnswer Request(std::string_view method, Json params) override {
    return requests_->Ask(*this, method, std::move(params), [this](const Json& request) {
      const std::lock_guard lock(mutex_);
      SendEvent(request);
    });
  }

  void Finish(const Json& response, int status) {
    const std::lock_guard lock(mutex_);
    if (!streams_) return reply_->Send(JsonResponseOf(status, response));
    SendEvent(response);
    reply_->EndEvents();
  }

 private:
  void SendEvent(const Json& message) {
    if (!std::exchange(streams_, true)) reply_->BeginEvents();
    reply_->Event({"event: message", "data: " + PrintJson(message)});
  }

  const McpContext context_;
  const std::shared_ptr<HttpReply> reply_;
  ClientRequests* const requests_;
  std::mutex mutex_;
  bool streams_ = false;
};

RpcAnswer AnswerSafely(McpService& service, const RpcMessage& request, McpExchange& exchange) {
  try {
    return Dispatch(service, request, exchange);
  } catch (const std::bad_alloc&) {
    return RpcFailure(RpcCode::kInternalError, "not enough memory");
  }
}

// The response to a request that is not dispatched.
HttpResponse Refusal(const Json& id, const RpcError& error, McpEra era) {
  return JsonResponseOf(StatusOf(error, era), RpcResponse(id, tl::unexpected(error)));
}

// Determines the era and the revision of a request. Errors: the response that refuses it.
tl::expected<McpContext, HttpResponse> ContextFrom(const HttpHead& head,
                                                   const RpcMessage& request) {
  const std::string_view header = head.Header(kVersionHeader);
  const auto legacy = LegacyRevisions();
  const bool known = header.empty() || header == kModernRevision ||
                     std::ranges::find(legacy, header) != legacy.end();
  if (!known && !request.params.contains("_meta")) {
    return tl::unexpected(
        Refusal(request.id,
                {RpcCode::kInvalidRequest,
                 "protocol version " + std::string(header) + " is not supported", nullptr},
                McpEra::kLegacy));
  }
  auto context = ContextOf(request, std::string(header.empty() ? kAssumedRevision : header));
  if (!context) {
    // That a header contradicts the body is reported first: a proxy that trusted the header may
    // have sent the request to the wrong server.
    const Json& version =
        JsonMember(JsonMember(request.params, "_meta"), "io.modelcontextprotocol/protocolVersion");
    if (version.is_string() && version != header) {
      return tl::unexpected(
          Refusal(request.id, Mismatch("MCP-Protocol-Version", header, version.get<std::string>()),
                  McpEra::kModern));
    }
    return tl::unexpected(
        JsonResponseOf(400, RpcResponse(request.id, tl::unexpected(context.error()))));
  }
  if (context->era == McpEra::kModern) {
    if (const auto error = CheckHeaders(head, request, *context)) {
      return tl::unexpected(Refusal(request.id, *error, McpEra::kModern));
    }
  }
  return *std::move(context);
}

}  // namespace

McpHttpEndpoint::McpHttpEndpoint(const std::function<std::unique_ptr<McpService>()>& make_service,
                                 size_t workers)
    // One worker must be free to take the response of a client.
    : client_requests_(std::max<size_t>(workers, 1) - 1) {
  for (size_t i = 0; i < std::max<size_t>(workers, 1); ++i) services_.push_back(make_service());
}

void McpHttpEndpoint::Answer(size_t worker, const HttpRequest& request,
                             const std::shared_ptr<HttpReply>& reply) {
  if (request.head.method != "POST") {
    HttpResponse response =
        JsonResponseOf(405, RpcResponse(nullptr, RpcFailure(RpcCode::kInvalidRequest, "use POST")));
    response.headers.emplace_back("Allow", "POST");
    return reply->Send(std::move(response));
  }
  RpcMessages parsed = ParseRpcMessages(request.body);
  if (parsed.batch) {
    return reply->Send(
        Refusal(nullptr, {RpcCode::kInvalidRequest, "send one message in each request", nullptr},
                McpEra::kLegacy));
  }
  ParsedRpcMessage& message = parsed.messages.front();
  if (!message) {
    return reply->Send(Refusal(message.error().id, message.error().error, McpEra::kLegacy));
  }
  if (message->kind != RpcMessage::Kind::kRequest) {
    if (message->kind == RpcMessage::Kind::kResponse) client_requests_.Take(*std::move(message));
    // Notifications need no answer. One of a cancellation has no effect: a request is cancelled by
    // closing its connection.
    return reply->Send({.status = 202, .content_type = "application/json", .body = ""});
  }
  auto context = ContextFrom(request.head, *message);
  if (!context) return reply->Send(std::move(context.error()));
  AnswerRequest(worker, *std::move(context), *message, reply);
}

void McpHttpEndpoint::AnswerRequest(size_t worker, McpContext context, const RpcMessage& request,
                                    const std::shared_ptr<HttpReply>& reply) {
  McpService& service = *services_[worker % services_.size()];
  service.Begin();
  const McpEra era = context.era;
  HttpExchange exchange(std::move(context), reply, &client_requests_);
  const CancelWhenGone cancel(*reply, [&] {
    service.Cancel();
    client_requests_.Wake();
  });
  const RpcAnswer answer = AnswerSafely(service, request, exchange);
  exchange.Finish(RpcResponse(request.id, answer), answer ? 200 : StatusOf(answer.error(), era));
}

}  // namespace recall
