#include "cli/server/mcp/json_rpc.h"

#include <utility>

#include "index/base/json/ordered_json.h"

namespace recall {
namespace {

// Beyond these, values are not read. A request that says all that it can say has some hundred.
constexpr JsonLimits kLimits = {.depth = kMostMessageDepth, .values = kMostMessageValues};

bool IsId(const Json& id) { return id.is_string() || id.is_number_integer(); }

tl::unexpected<BadRpcMessage> Bad(RpcCode code, std::string why, Json id = nullptr) {
  return tl::unexpected(BadRpcMessage{std::move(id), {code, std::move(why), nullptr}});
}

tl::unexpected<BadRpcMessage> Refusal(JsonFault fault) {
  switch (fault) {
    case JsonFault::kTooDeep:
      return Bad(RpcCode::kInvalidRequest, "the message is nested deeper than 64 levels");
    case JsonFault::kTooManyValues:
      return Bad(RpcCode::kInvalidRequest, "the message has more than 100,000 values");
    case JsonFault::kInvalid:
      break;
  }
  return Bad(RpcCode::kParseError, "the message is not valid JSON");
}

// Reads a response: its result, or its error, whose code may be any number.
RpcAnswer AnswerOf(const Json& response) {
  if (!response.contains("error")) return response["result"];
  const Json& error = response["error"];
  const Json& code = JsonMember(error, "code");
  return RpcFailure(
      code.is_number_integer() ? static_cast<RpcCode>(code.get<int>()) : RpcCode::kInternalError,
      JsonText(error, "message"), JsonMember(error, "data"));
}

ParsedRpcMessage ReadMessage(Json& json) {
  if (!json.is_object()) return Bad(RpcCode::kInvalidRequest, "a message must be an object");
  const Json& id = JsonMember(json, "id");
  const Json known = IsId(id) ? id : Json(nullptr);
  const auto refuse = [&](std::string why) {
    return Bad(RpcCode::kInvalidRequest, std::move(why), known);
  };
  if (JsonText(json, "jsonrpc") != "2.0") return refuse("jsonrpc must be \"2.0\"");
  const bool has_id = json.contains("id");
  if (has_id && known.is_null()) return refuse("id must be a text or an integer");
  RpcMessage message;
  message.id = known;
  if (!json.contains("method")) {
    if (!json.contains("result") && !json.contains("error")) return refuse("method is missing");
    message.kind = RpcMessage::Kind::kResponse;
    message.answer = AnswerOf(json);
    return message;
  }
  if (!json["method"].is_string()) return refuse("method must be a text");
  message.kind = has_id ? RpcMessage::Kind::kRequest : RpcMessage::Kind::kNotification;
  message.method = json["method"].get<std::string>();
  if (const auto params = json.find("params"); params != json.end() && !params->is_null()) {
    if (!params->is_object()) {
      return Bad(RpcCode::kInvalidParams, "params must be an object", known);
    }
    message.params = std::move(*params);
  }
  return message;
}

}  // namespace

std::optional<Json> ParseJson(std::string_view text) {
  if (text.size() > kMostMessageBytes) return std::nullopt;
  auto json = ParseOrderedJson(text, kLimits);
  if (!json) return std::nullopt;
  return std::move(*json);
}

RpcMessages ParseRpcMessages(std::string_view text) {
  RpcMessages parsed;
  if (text.size() > kMostMessageBytes) {
    parsed.messages.push_back(Bad(RpcCode::kInvalidRequest, "the message is longer than 4 MiB"));
    return parsed;
  }
  auto json = ParseOrderedJson(text, kLimits);
  if (!json) {
    parsed.messages.push_back(Refusal(json.error()));
    return parsed;
  }
  parsed.batch = json->is_array();
  if (!parsed.batch) {
    parsed.messages.push_back(ReadMessage(*json));
    return parsed;
  }
  for (Json& message : *json) parsed.messages.push_back(ReadMessage(message));
  if (json->empty()) {
    parsed.batch = false;
    parsed.messages.push_back(Bad(RpcCode::kInvalidRequest, "the batch is empty"));
  }
  return parsed;
}

std::string PrintJson(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json RpcResponse(const Json& id, const RpcAnswer& answer) {
  Json response = {{"jsonrpc", "2.0"}, {"id", id}};
  if (answer) {
    response["result"] = *answer;
    return response;
  }
  Json& error = response["error"];
  error = {{"code", static_cast<int>(answer.error().code)}, {"message", answer.error().message}};
  if (!answer.error().data.is_null()) error["data"] = answer.error().data;
  return response;
}

Json RpcNotification(std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

Json RpcRequest(const Json& id, std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

const Json& JsonMember(const Json& json, std::string_view name) {
  static const Json kNull = nullptr;
  if (!json.is_object()) return kNull;
  const auto found = json.find(name);
  return found == json.end() ? kNull : *found;
}

std::string JsonText(const Json& json, std::string_view name) {
  const Json& member = JsonMember(json, name);
  return member.is_string() ? member.get<std::string>() : std::string();
}

}  // namespace recall
