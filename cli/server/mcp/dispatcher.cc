#include "cli/server/mcp/dispatcher.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace recall {
namespace {

constexpr std::array<std::string_view, 4> kLegacyRevisions = {"2024-11-05", "2025-03-26",
                                                              "2025-06-18", "2025-11-25"};

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";
constexpr std::string_view kServerKey = "io.modelcontextprotocol/serverInfo";

// How long clients may keep results. Lists do not change while a server runs, but a resource may
// change at any time.
constexpr int64_t kListMillis = 300'000;

struct Method {
  std::string_view name;
  bool legacy;
  bool modern;
  bool cacheable;  // its modern result has ttlMs and cacheScope
};
constexpr std::array<Method, 11> kMethods = {{{"initialize", true, false, false},
                                              {"ping", true, false, false},
                                              {"server/discover", false, true, true},
                                              {"tools/list", true, true, true},
                                              {"tools/call", true, true, false},
                                              {"resources/list", true, true, true},
                                              {"resources/templates/list", true, true, true},
                                              {"resources/read", true, true, true},
                                              {"prompts/list", true, true, true},
                                              {"prompts/get", true, true, false},
                                              {"completion/complete", true, true, false}}};

// Legacy methods that are not in kMethods and that 2026-07-28 has removed. A service may offer
// them.
constexpr std::array<std::string_view, 3> kRemovedMethods = {
    "logging/setLevel", "resources/subscribe", "resources/unsubscribe"};

const Method* FindMethod(std::string_view name) {
  const auto found = std::ranges::find(kMethods, name, &Method::name);
  return found == kMethods.end() ? nullptr : &*found;
}

Json ServerInfoOf(const McpServerInfo& info) {
  return {{"name", info.name}, {"title", info.title}, {"version", info.version}};
}

RpcAnswer Initialize(McpService& service, const McpContext& context) {
  Json result = {{"protocolVersion", context.revision},
                 {"capabilities", service.Capabilities()},
                 {"serverInfo", ServerInfoOf(service.info())}};
  if (!service.info().instructions.empty()) result["instructions"] = service.info().instructions;
  return result;
}

RpcAnswer Discover(McpService& service) {
  Json capabilities = service.Capabilities();
  // 2026-07-28 has removed this method.
  if (const auto at = capabilities.find("resources"); at != capabilities.end()) {
    at->erase("subscribe");
  }
  Json result = {{"supportedVersions", Json::array({kModernRevision})},
                 {"capabilities", std::move(capabilities)}};
  if (!service.info().instructions.empty()) result["instructions"] = service.info().instructions;
  return result;
}

// Returns: a parameter that must be a text. Errors: kInvalidParams.
tl::expected<std::string, RpcError> TextParam(const Json& params, std::string_view name) {
  const Json& value = JsonMember(params, name);
  if (value.is_string()) return value.get<std::string>();
  return RpcFailure(RpcCode::kInvalidParams, std::string(name) + " must be a text");
}

// Returns: the parameters of a request without the members of the protocol itself.
tl::expected<std::optional<std::string>, RpcError> CursorParam(const Json& params) {
  const Json& cursor = JsonMember(params, "cursor");
  if (cursor.is_null()) return std::nullopt;
  if (cursor.is_string()) return cursor.get<std::string>();
  return RpcFailure(RpcCode::kInvalidParams, "cursor must be a text");
}

// Refuses a cursor. These lists fit one page and never give a cursor out.
RpcAnswer WithoutCursor(const Json& params, RpcAnswer list) {
  const auto cursor = CursorParam(params);
  if (!cursor) return tl::unexpected(cursor.error());
  if (*cursor) return RpcFailure(RpcCode::kInvalidParams, "this list has no such cursor");
  return list;
}

RpcAnswer Answer(McpService& service, const RpcMessage& request, McpExchange& exchange) {
  const std::string& method = request.method;
  const Json& params = request.params;
  if (method == "initialize") return Initialize(service, exchange.context());
  if (method == "ping") return Json::object();
  if (method == "server/discover") return Discover(service);
  if (method == "tools/list") return WithoutCursor(params, service.ListTools());
  if (method == "tools/call") {
    const auto name = TextParam(params, "name");
    if (!name) return tl::unexpected(name.error());
    const Json& arguments = JsonMember(params, "arguments");
    if (!arguments.is_null() && !arguments.is_object()) {
      return RpcFailure(RpcCode::kInvalidParams, "arguments must be an object");
    }
    return service.CallTool(*name, params, exchange);
  }
  if (method == "resources/list") {
    const auto cursor = CursorParam(params);
    if (!cursor) return tl::unexpected(cursor.error());
    return service.ListResources(*cursor);
  }
  if (method == "resources/templates/list") {
    return WithoutCursor(params, service.ListResourceTemplates());
  }
  if (method == "resources/read") {
    const auto uri = TextParam(params, "uri");
    if (!uri) return tl::unexpected(uri.error());
    return service.ReadResource(*uri, exchange);
  }
  if (method == "prompts/list") return WithoutCursor(params, service.ListPrompts());
  if (method == "prompts/get") {
    const auto name = TextParam(params, "name");
    if (!name) return tl::unexpected(name.error());
    return service.GetPrompt(*name, params, exchange);
  }
  if (method == "completion/complete") return service.Complete(params, exchange);
  return service.Other(method, params, exchange);
}

// Adds the members that only modern results have.
Json SealModern(Json result, const McpService& service, const Method* method) {
  if (!result.contains("resultType")) result["resultType"] = "complete";
  if (method && method->cacheable) {
    const bool read = method->name == "resources/read" || method->name == "resources/list";
    if (!result.contains("ttlMs")) result["ttlMs"] = read ? 0 : kListMillis;
    if (!result.contains("cacheScope")) result["cacheScope"] = "private";
  }
  result["_meta"][kServerKey] = ServerInfoOf(service.info());
  return result;
}

}  // namespace

RpcAnswer McpExchange::Request(std::string_view method, Json) {
  return RpcFailure(RpcCode::kInternalError,
                    "the client cannot be asked for " + std::string(method) + " here");
}

RpcAnswer McpService::Other(const std::string& method, const Json&, McpExchange&) {
  return NoSuchMethod(method);
}

tl::unexpected<RpcError> NoSuchMethod(const std::string& method) {
  return RpcFailure(RpcCode::kMethodNotFound, "unknown method '" + method + "'");
}

std::span<const std::string_view> LegacyRevisions() { return kLegacyRevisions; }

tl::expected<McpContext, RpcError> ContextOf(const RpcMessage& request, const std::string& agreed) {
  const Json& meta = JsonMember(request.params, "_meta");
  const Json& version = JsonMember(meta, kVersionKey);
  McpContext context;
  context.progress_token = JsonMember(meta, "progressToken");
  const bool modern =
      request.method == "server/discover" || !version.is_null() || agreed == kModernRevision;
  if (!modern) {
    context.revision = request.method == "initialize" ? AgreedRevision(request.params) : agreed;
    if (context.revision.empty()) context.revision = kLegacyRevisions.back();
    return context;
  }
  if (!version.is_string()) {
    return RpcFailure(RpcCode::kInvalidParams, "params._meta has no " + std::string(kVersionKey));
  }
  if (version != kModernRevision) {
    return RpcFailure(RpcCode::kUnsupportedProtocolVersion,
                      "protocol version " + version.get<std::string>() + " is not supported",
                      {{"supported", Json::array({kModernRevision})}, {"requested", version}});
  }
  const Json& capabilities = JsonMember(meta, kCapabilitiesKey);
  if (!capabilities.is_object()) {
    return RpcFailure(RpcCode::kInvalidParams,
                      "params._meta has no " + std::string(kCapabilitiesKey));
  }
  context.era = McpEra::kModern;
  context.revision = kModernRevision;
  context.client_capabilities = capabilities;
  context.log_level = JsonText(meta, kLogLevelKey);
  return context;
}

std::string AgreedRevision(const Json& initialize_params) {
  const std::string wanted = JsonText(initialize_params, "protocolVersion");
  const bool known = std::ranges::find(kLegacyRevisions, wanted) != kLegacyRevisions.end();
  return known ? wanted : std::string(kLegacyRevisions.back());
}

RpcAnswer Dispatch(McpService& service, const RpcMessage& request, McpExchange& exchange) {
  const Method* const method = FindMethod(request.method);
  const bool modern = exchange.context().era == McpEra::kModern;
  const bool removed =
      modern && std::ranges::find(kRemovedMethods, request.method) != kRemovedMethods.end();
  if (removed || (method && !(modern ? method->modern : method->legacy))) {
    return NoSuchMethod(request.method);
  }
  RpcAnswer answer = Answer(service, request, exchange);
  if (answer) return modern ? SealModern(*std::move(answer), service, method) : std::move(answer);
  if (modern && answer.error().code == RpcCode::kResourceNotFound) {
    answer.error().code = RpcCode::kInvalidParams;
  }
  return answer;
}

}  // namespace recall
