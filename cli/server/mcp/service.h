#pragma once

// What an MCP server offers: its tools, resources and prompts. The protocol around it is in
// dispatcher.h, the transports in stdio_server.h.

#include <optional>
#include <string>

#include "cli/server/mcp/json_rpc.h"

namespace recall {

// Revisions until 2025-11-25 begin with `initialize`. 2026-07-28 has no state: each request names
// its revision.
enum class McpEra { kLegacy, kModern };

// How a request was made.
struct McpContext {
  McpEra era = McpEra::kLegacy;
  std::string revision;
  Json client_capabilities = Json::object();
  Json progress_token = nullptr;  // null: no progress is wanted
  // The lowest level of log messages that a modern client wants with its answer; "" for none.
  // Legacy clients set it with logging/setLevel.
  std::string log_level;
};

// The connection of a request with its client, while it is answered. Thread-safe.
class McpExchange {
 public:
  virtual ~McpExchange() = default;
  virtual const McpContext& context() const = 0;
  // Sends a notification that belongs to the request.
  virtual void Notify(std::string_view method, Json params) = 0;
  // Asks the client (sampling/createMessage, elicitation/create, roots/list), and waits for its
  // response. Only revisions until 2025-11-25 have such requests; a modern service answers with
  // input_required instead. Errors: that of the client; kInternalError if it gives no response.
  virtual RpcAnswer Request(std::string_view method, Json params);
  // Whether the client has cancelled the request; its answer is not sent.
  virtual bool cancelled() const = 0;
};

struct McpServerInfo {
  std::string name;
  std::string title;
  std::string version;
  std::string instructions;  // for the model: what the server is for
};

// Returns: the error of a method that does not exist.
tl::unexpected<RpcError> NoSuchMethod(const std::string& method);

// The handlers of a server. Not thread-safe, except Cancel: each thread has its own. Results are
// the `result` objects of the protocol, without what dispatcher.h adds.
class McpService {
 public:
  virtual ~McpService() = default;

  virtual const McpServerInfo& info() const = 0;
  // The capabilities of the server: {"tools":{}, ...}.
  virtual Json Capabilities() const = 0;

  virtual RpcAnswer ListTools() = 0;
  virtual RpcAnswer CallTool(const std::string& name, const Json& params,
                             McpExchange& exchange) = 0;

  // A service that has tools alone does not override these: the methods do not exist.
  virtual RpcAnswer ListResources(const std::optional<std::string>& /*cursor*/) {
    return NoSuchMethod("resources/list");
  }
  virtual RpcAnswer ListResourceTemplates() { return NoSuchMethod("resources/templates/list"); }
  virtual RpcAnswer ReadResource(const std::string& /*uri*/, McpExchange& /*exchange*/) {
    return NoSuchMethod("resources/read");
  }
  virtual RpcAnswer ListPrompts() { return NoSuchMethod("prompts/list"); }
  virtual RpcAnswer GetPrompt(const std::string& /*name*/, const Json& /*params*/,
                              McpExchange& /*exchange*/) {
    return NoSuchMethod("prompts/get");
  }
  virtual RpcAnswer Complete(const Json& /*params*/, McpExchange& /*exchange*/) {
    return NoSuchMethod("completion/complete");
  }
  // Called for any other method.
  virtual RpcAnswer Other(const std::string& method, const Json& params, McpExchange& exchange);

  // Called before each request, on its thread.
  virtual void Begin() {}
  // Ends the present request soon. Thread-safe.
  virtual void Cancel() {}
};

}  // namespace recall
