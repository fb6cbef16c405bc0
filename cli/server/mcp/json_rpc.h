#pragma once

// JSON-RPC 2.0 as the Model Context Protocol uses it: ids are texts or integers, parameters are an
// object.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/base/result.h"

namespace recall {

using Json = nlohmann::ordered_json;

// Limits of a message. One beyond them is answered with an error and otherwise ignored.
inline constexpr size_t kMostMessageBytes = size_t{4} << 20;
inline constexpr size_t kMostMessageDepth = 64;
inline constexpr size_t kMostMessageValues = 100'000;  // arrays, objects, and values in them

// The codes of errors: those of JSON-RPC, then those of MCP.
enum class RpcCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kResourceNotFound = -32002,           // until 2025-11-25; later kInvalidParams
  kHeaderMismatch = -32020,             // 2026-07-28: a header of HTTP contradicts the body
  kMissingClientCapability = -32021,    // 2026-07-28
  kUnsupportedProtocolVersion = -32022  // 2026-07-28
};

struct RpcError {
  RpcCode code = RpcCode::kInternalError;
  std::string message;
  Json data = nullptr;  // null: none
};

// The result of a request, or its error.
using RpcAnswer = tl::expected<Json, RpcError>;

inline tl::unexpected<RpcError> RpcFailure(RpcCode code, std::string message, Json data = nullptr) {
  return tl::unexpected(RpcError{code, std::move(message), std::move(data)});
}

struct RpcMessage {
  enum class Kind { kRequest, kNotification, kResponse };
  Kind kind = Kind::kRequest;
  Json id = nullptr;  // of a request or response
  std::string method;
  Json params = Json::object();
  RpcAnswer answer = Json(nullptr);  // of a response
};

// A message that is not valid. `id` is null unless it could be read.
struct BadRpcMessage {
  Json id = nullptr;
  RpcError error;
};

using ParsedRpcMessage = tl::expected<RpcMessage, BadRpcMessage>;

struct RpcMessages {
  bool batch = false;  // an array of messages, which only revision 2025-03-26 has
  std::vector<ParsedRpcMessage> messages;
};

// Parses a text. Returns: nothing if it is not JSON or beyond the limits of a message.
std::optional<Json> ParseJson(std::string_view text);

// Parses a message or a batch. Text that is not JSON gives one message that is not valid.
RpcMessages ParseRpcMessages(std::string_view text);

// Prints JSON in one line, without a newline. Bytes that are not UTF-8 become U+FFFD.
std::string PrintJson(const Json& json);
Json RpcResponse(const Json& id, const RpcAnswer& answer);
Json RpcNotification(std::string_view method, Json params);
Json RpcRequest(const Json& id, std::string_view method, Json params);

// Returns: a member of an object; null if `json` is not an object or has no such member.
const Json& JsonMember(const Json& json, std::string_view name);
// Returns: a member that is a text; "" for other members.
std::string JsonText(const Json& json, std::string_view name);

}  // namespace recall
