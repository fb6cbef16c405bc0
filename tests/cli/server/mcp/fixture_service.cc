#include "tests/cli/server/mcp/fixture_service.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "storage/base/ids.h"
#include "storage/base/random.h"

namespace recall {
namespace {

constexpr std::array<std::string_view, 11> kFaults = {
    "no-host-check",     "swallow-error",         "progress-backwards",  "log-always",
    "wrong-result-type", "accept-tampered-state", "ignore-capabilities", "negative-ttl",
    "empty-contents",    "no-question",           "wrong-template"};

// A picture of one pixel, and a sound of one sample.
constexpr std::string_view kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg==";
constexpr std::string_view kWav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

constexpr std::string_view kTemplateBegin = "test://template/";
constexpr std::string_view kTemplateEnd = "/data";

constexpr std::array<std::string_view, 8> kLogLevels = {"debug", "info",     "notice", "warning",
                                                        "error", "critical", "alert",  "emergency"};

std::optional<int> LevelOf(std::string_view name) {
  const auto found = std::ranges::find(kLogLevels, name);
  if (found == kLogLevels.end()) return std::nullopt;
  return static_cast<int>(found - kLogLevels.begin());
}

Json TextContent(const std::string& text) { return {{"type", "text"}, {"text", text}}; }
Json ImageContent() { return {{"type", "image"}, {"data", kPng}, {"mimeType", "image/png"}}; }
Json ResourceContent(std::string_view uri, std::string_view type, std::string_view text) {
  return {{"type", "resource"}, {"resource", {{"uri", uri}, {"mimeType", type}, {"text", text}}}};
}

Json Contents(Json content) { return {{"content", Json::array({std::move(content)})}}; }
Json TextResult(const std::string& text) { return Contents(TextContent(text)); }
Json ErrorResult(const std::string& text) {
  Json result = TextResult(text);
  result["isError"] = true;
  return result;
}

Json ObjectSchema(Json properties) {
  Json required = Json::array();
  for (const auto& [name, schema] : properties.items()) required.push_back(name);
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", required}};
}

Json ElicitationParams(std::string_view message, Json properties) {
  return {{"message", message}, {"requestedSchema", ObjectSchema(std::move(properties))}};
}
Json SamplingParams(const std::string& prompt, int max_tokens) {
  return {{"messages", Json::array({{{"role", "user"}, {"content", TextContent(prompt)}}})},
          {"maxTokens", max_tokens}};
}

// Input that a modern service asks for with its result.
Json Elicitation(std::string_view message, Json properties) {
  return {{"method", "elicitation/create"},
          {"params", ElicitationParams(message, std::move(properties))}};
}
Json Sampling(const std::string& prompt, int max_tokens) {
  return {{"method", "sampling/createMessage"}, {"params", SamplingParams(prompt, max_tokens)}};
}
Json Roots() { return {{"method", "roots/list"}, {"params", Json::object()}}; }
const Json kText = {{"type", "string"}};
const Json kBoolean = {{"type", "boolean"}};

Json DefaultsOfEveryType() {
  return {{"name", {{"type", "string"}, {"default", "John Doe"}}},
          {"age", {{"type", "integer"}, {"default", 30}}},
          {"score", {{"type", "number"}, {"default", 95.5}}},
          {"status",
           {{"type", "string"},
            {"enum", Json::array({"active", "inactive", "pending"})},
            {"default", "active"}}},
          {"verified", {{"type", "boolean"}, {"default", true}}}};
}

Json EnumsOfEveryKind() {
  const Json options = Json::array({"option1", "option2", "option3"});
  const auto titled = [](std::string_view noun) {
    Json choices = Json::array();
    for (const auto& [value, ordinal] :
         {std::pair("value1", "First "), {"value2", "Second "}, {"value3", "Third "}}) {
      choices.push_back({{"const", value}, {"title", ordinal + std::string(noun)}});
    }
    return choices;
  };
  return {
      {"untitledSingle", {{"type", "string"}, {"enum", options}}},
      {"titledSingle", {{"type", "string"}, {"oneOf", titled("Option")}}},
      {"legacyEnum",
       {{"type", "string"},
        {"enum", Json::array({"opt1", "opt2", "opt3"})},
        {"enumNames", Json::array({"Option One", "Option Two", "Option Three"})}}},
      {"untitledMulti", {{"type", "array"}, {"items", {{"type", "string"}, {"enum", options}}}}},
      {"titledMulti", {{"type", "array"}, {"items", {{"anyOf", titled("Choice")}}}}}};
}

// Keywords of JSON Schema 2020-12 that a server must not lose.
const Json kSchema2020 = Json::parse(R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {"address": {"$anchor": "addressDef", "type": "object",
                        "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
  "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
                 "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                 "phone": {"type": "string"}, "email": {"type": "string"}},
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]},
  "else": {"required": ["email"]},
  "additionalProperties": false})json");

// Signs the state of a request that is continued, so that a client cannot change it.
class StateSeal final {
 public:
  std::string Seal(const std::string& state) const { return state + "." + SignatureOf(state); }
  // Returns: the state; nothing if it was not sealed here.
  std::optional<std::string> Open(const std::string& sealed) const {
    const size_t dot = sealed.rfind('.');
    if (dot == std::string::npos) return std::nullopt;
    const std::string state = sealed.substr(0, dot);
    if (Seal(state) != sealed) return std::nullopt;
    return state;
  }

 private:
  std::string SignatureOf(const std::string& state) const {
    return ToHex(Sha256(key_ + ToHex(Sha256(key_ + state))));
  }
  const std::string key_ = RandomHex(16);
};

const StateSeal& Seal() {
  static const StateSeal kSeal;
  return kSeal;
}

class FixtureService final : public McpService {
 public:
  explicit FixtureService(std::shared_ptr<FixtureState> state) : state_(std::move(state)) {}

  const McpServerInfo& info() const override { return info_; }
  Json Capabilities() const override {
    return {{"tools", Json::object()},
            {"prompts", Json::object()},
            {"resources", {{"subscribe", true}}},
            {"completions", Json::object()},
            {"logging", Json::object()}};
  }

  RpcAnswer ListTools() override {
    Json tools = Json::array();
    for (const Tool& tool : kTools) {
      const Json schema = tool.name == "json_schema_2020_12_tool" ? kSchema2020
                          : tool.argument.empty()
                              ? Json{{"type", "object"}}
                              : ObjectSchema({{std::string(tool.argument), kText}});
      tools.push_back({{"name", tool.name}, {"description", tool.name}, {"inputSchema", schema}});
    }
    Json result = {{"tools", std::move(tools)}};
    if (Has("negative-ttl")) result["ttlMs"] = -1;
    return result;
  }

  RpcAnswer CallTool(const std::string& name, const Json& params, McpExchange& exchange) override {
    const auto tool = std::ranges::find(kTools, name, &Tool::name);
    if (tool == kTools.end()) {
      return RpcFailure(RpcCode::kInvalidParams, "unknown tool '" + name + "'");
    }
    return (this->*tool->call)(params, exchange);
  }

  RpcAnswer ListResources(const std::optional<std::string>&) override {
    const auto resource = [](std::string_view uri, std::string_view type) -> Json {
      return {{"uri", uri}, {"name", uri}, {"mimeType", type}};
    };
    return Json{{"resources", Json::array({resource("test://static-text", "text/plain"),
                                           resource("test://static-binary", "image/png"),
                                           resource("test://watched-resource", "text/plain")})}};
  }
  RpcAnswer ListResourceTemplates() override {
    return Json{{"resourceTemplates", Json::array({{{"uriTemplate", "test://template/{id}/data"},
                                                    {"name", "template"},
                                                    {"mimeType", "application/json"}}})}};
  }
  RpcAnswer ReadResource(const std::string& uri, McpExchange&) override {
    const auto contents = [&](std::string_view type, std::string_view key, std::string_view data) {
      return Json{{"contents", Json::array({{{"uri", uri}, {"mimeType", type}, {key, data}}})}};
    };
    if (uri == "test://static-text") {
      return contents("text/plain", "text", "This is the content of the static text resource.");
    }
    if (uri == "test://static-binary") return contents("image/png", "blob", kPng);
    if (uri == "test://watched-resource") return contents("text/plain", "text", "Watched.");
    if (uri.starts_with(kTemplateBegin) && uri.ends_with(kTemplateEnd)) {
      const std::string id =
          Has("wrong-template")
              ? "{id}"
              : uri.substr(kTemplateBegin.size(),
                           uri.size() - kTemplateBegin.size() - kTemplateEnd.size());
      const Json data = {{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}};
      return contents("application/json", "text", PrintJson(data));
    }
    if (Has("empty-contents")) return Json{{"contents", Json::array()}};
    return RpcFailure(RpcCode::kResourceNotFound, "there is no such resource", {{"uri", uri}});
  }

  RpcAnswer ListPrompts() override {
    const auto prompt = [](std::string_view name, std::initializer_list<std::string_view> wanted) {
      Json arguments = Json::array();
      for (const std::string_view argument : wanted) {
        arguments.push_back({{"name", argument}, {"description", argument}, {"required", true}});
      }
      return Json{{"name", name}, {"description", name}, {"arguments", arguments}};
    };
    return Json{
        {"prompts", Json::array({prompt("test_simple_prompt", {}),
                                 prompt("test_prompt_with_arguments", {"arg1", "arg2"}),
                                 prompt("test_prompt_with_embedded_resource", {"resourceUri"}),
                                 prompt("test_prompt_with_image", {}),
                                 prompt("test_input_required_result_prompt", {})})}};
  }
  RpcAnswer GetPrompt(const std::string& name, const Json& params, McpExchange& exchange) override {
    const auto messages = [](std::initializer_list<Json> contents) {
      Json all = Json::array();
      for (const Json& content : contents) all.push_back({{"role", "user"}, {"content", content}});
      return Json{{"messages", all}};
    };
    const Json& arguments = JsonMember(params, "arguments");
    if (name == "test_simple_prompt") {
      return messages({TextContent("This is a simple prompt for testing.")});
    }
    if (name == "test_prompt_with_arguments") {
      return messages({TextContent("Prompt with arguments: arg1='" + JsonText(arguments, "arg1") +
                                   "', arg2='" + JsonText(arguments, "arg2") + "'")});
    }
    if (name == "test_prompt_with_embedded_resource") {
      return messages({ResourceContent(JsonText(arguments, "resourceUri"), "text/plain",
                                       "Embedded resource content for testing."),
                       TextContent("Please process the embedded resource above.")});
    }
    if (name == "test_prompt_with_image") {
      return messages({ImageContent(), TextContent("Please analyze the image above.")});
    }
    if (name == "test_input_required_result_prompt") {
      const Json context = Accepted(params, "user_context", "context");
      if (context.is_string()) return messages({TextContent("Context: " + std::string(context))});
      return NeedInput(
          exchange, {{"user_context",
                      Elicitation("What context should the prompt use?", {{"context", kText}})}});
    }
    return RpcFailure(RpcCode::kInvalidParams, "unknown prompt '" + name + "'");
  }

  RpcAnswer Complete(const Json& params, McpExchange&) override {
    Json values = Json::array();
    const std::string begin = JsonText(JsonMember(params, "argument"), "value");
    for (const std::string_view word : {"paris", "park", "party", "test"}) {
      if (word.starts_with(begin)) values.push_back(word);
    }
    const size_t total = values.size();
    return Json{{"completion", {{"values", values}, {"total", total}, {"hasMore", false}}}};
  }

  RpcAnswer Other(const std::string& method, const Json& params, McpExchange& exchange) override {
    if (method == "logging/setLevel") {
      const auto level = LevelOf(JsonText(params, "level"));
      if (!level) return RpcFailure(RpcCode::kInvalidParams, "unknown level");
      state_->log_level = *level;
      return Json::object();
    }
    if (method != "resources/subscribe" && method != "resources/unsubscribe") {
      return McpService::Other(method, params, exchange);
    }
    const std::string uri = JsonText(params, "uri");
    if (uri.empty()) return RpcFailure(RpcCode::kInvalidParams, "uri is missing");
    const std::lock_guard lock(state_->mutex);
    if (method == "resources/subscribe") {
      state_->subscribed.insert(uri);
    } else {
      state_->subscribed.erase(uri);
    }
    return Json::object();
  }

 private:
  using Call = RpcAnswer (FixtureService::*)(const Json& params, McpExchange& exchange);
  struct Tool {
    std::string_view name;
    std::string_view argument;
    Call call;
  };
  static const std::array<Tool, 24> kTools;

  bool Has(std::string_view fault) const { return state_->fault == fault; }

  // What the user has entered for `field`, if the input of this name was given; else null.
  static Json Accepted(const Json& params, std::string_view input, std::string_view field) {
    const Json& response = JsonMember(JsonMember(params, "inputResponses"), input);
    if (JsonText(response, "action") != "accept") return nullptr;
    return JsonMember(JsonMember(response, "content"), field);
  }
  static bool HasInput(const Json& params, std::string_view input) {
    return JsonMember(JsonMember(params, "inputResponses"), input).is_object();
  }

  // Asks a modern client for input, by the result of its request.
  RpcAnswer NeedInput(const McpExchange& exchange, Json requests, const std::string& state = "") {
    if (exchange.context().era != McpEra::kModern) {
      return RpcFailure(RpcCode::kInvalidParams, "revision 2026-07-28 is needed");
    }
    Json result = {{"resultType", "input_required"}, {"inputRequests", std::move(requests)}};
    if (Has("wrong-result-type")) result["resultType"] = "complete";
    if (!state.empty()) result["requestState"] = Seal().Seal(state);
    return result;
  }
  // The state that a client gives back. Errors: kInvalidParams for one that is not ours.
  tl::expected<std::string, RpcError> StateOf(const Json& params) const {
    const Json& given = JsonMember(params, "requestState");
    if (given.is_null()) return std::string();
    const auto state = given.is_string() ? Seal().Open(given) : std::nullopt;
    if (state) return *state;
    if (Has("accept-tampered-state")) return "confirm";
    return RpcFailure(RpcCode::kInvalidParams, "requestState is not of this server");
  }

  bool Logs(const McpExchange& exchange, int level) const {
    if (Has("log-always")) return true;
    if (exchange.context().era == McpEra::kLegacy) return level >= state_->log_level;
    const auto wanted = LevelOf(exchange.context().log_level);
    return wanted && level >= *wanted;
  }
  void Log(McpExchange& exchange, std::string_view text) const {
    constexpr int kInfo = 1;
    if (!Logs(exchange, kInfo)) return;
    exchange.Notify("notifications/message",
                    {{"level", kLogLevels[kInfo]}, {"logger", "fixture"}, {"data", text}});
  }

  RpcAnswer SimpleText(const Json&, McpExchange&) {
    return TextResult("This is a simple text response for testing.");
  }
  RpcAnswer Image(const Json&, McpExchange&) { return Contents(ImageContent()); }
  RpcAnswer Audio(const Json&, McpExchange&) {
    return Contents({{"type", "audio"}, {"data", kWav}, {"mimeType", "audio/wav"}});
  }
  RpcAnswer EmbeddedResource(const Json&, McpExchange&) {
    return Contents(ResourceContent("test://embedded-resource", "text/plain",
                                    "This is an embedded resource content."));
  }
  RpcAnswer MultipleContents(const Json&, McpExchange&) {
    return Json{{"content",
                 Json::array({TextContent("Multiple content types test:"), ImageContent(),
                              ResourceContent("test://mixed-content-resource", "application/json",
                                              R"({"test":"data","value":123})")})}};
  }
  RpcAnswer Logging(const Json&, McpExchange& exchange) {
    Log(exchange, "Tool execution started");
    Log(exchange, "Tool processing data");
    Log(exchange, "Tool execution completed");
    return TextResult("Logged.");
  }
  RpcAnswer Error(const Json&, McpExchange&) {
    const std::string text = "This tool intentionally returns an error for testing";
    return Has("swallow-error") ? TextResult(text) : ErrorResult(text);
  }
  RpcAnswer Progress(const Json&, McpExchange& exchange) {
    const Json token = exchange.context().progress_token;
    for (const int done : {0, 50, 100}) {
      if (token.is_null()) break;
      exchange.Notify("notifications/progress",
                      {{"progressToken", token},
                       {"progress", Has("progress-backwards") ? 100 - done : done},
                       {"total", 100}});
    }
    return TextResult("Done.");
  }

  RpcAnswer AskSampling(const Json& params, McpExchange& exchange) {
    const std::string prompt = JsonText(JsonMember(params, "arguments"), "prompt");
    const RpcAnswer answer =
        exchange.Request("sampling/createMessage", SamplingParams(prompt, 100));
    if (!answer) return ErrorResult(answer.error().message);
    return TextResult("LLM response: " + JsonText(JsonMember(*answer, "content"), "text"));
  }
  RpcAnswer Elicit(McpExchange& exchange, std::string_view message, const Json& properties,
                   const std::string& before) {
    if (Has("no-question")) return TextResult(before);
    const RpcAnswer answer =
        exchange.Request("elicitation/create", ElicitationParams(message, properties));
    if (!answer) return ErrorResult(answer.error().message);
    return TextResult(before + "action=" + JsonText(*answer, "action") +
                      ", content=" + PrintJson(JsonMember(*answer, "content")));
  }
  RpcAnswer AskElicitation(const Json& params, McpExchange& exchange) {
    const Json username = {{"type", "string"}, {"description", "User's response"}};
    const Json email = {{"type", "string"}, {"description", "User's email address"}};
    return Elicit(exchange, JsonText(JsonMember(params, "arguments"), "message"),
                  {{"username", username}, {"email", email}}, "User response: ");
  }
  RpcAnswer AskDefaults(const Json&, McpExchange& exchange) {
    return Elicit(exchange, "Check these.", DefaultsOfEveryType(), "Elicitation completed: ");
  }
  RpcAnswer AskEnums(const Json&, McpExchange& exchange) {
    return Elicit(exchange, "Choose.", EnumsOfEveryKind(), "Elicitation completed: ");
  }

  RpcAnswer MissingCapability(const Json&, McpExchange& exchange) {
    if (exchange.context().client_capabilities.contains("sampling") || Has("ignore-capabilities")) {
      return TextResult("The client can sample.");
    }
    return RpcFailure(RpcCode::kMissingClientCapability, "the client must be able to sample",
                      {{"requiredCapabilities", {{"sampling", Json::object()}}}});
  }

  RpcAnswer InputElicitation(const Json& params, McpExchange& exchange) {
    const Json name = Accepted(params, "user_name", "name");
    if (name.is_string()) return TextResult("Hello, " + std::string(name) + "!");
    return NeedInput(exchange,
                     {{"user_name", Elicitation("What is your name?", {{"name", kText}})}});
  }
  RpcAnswer InputSampling(const Json& params, McpExchange& exchange) {
    const Json& message = JsonMember(JsonMember(params, "inputResponses"), "capital_question");
    if (message.is_object()) return TextResult(JsonText(JsonMember(message, "content"), "text"));
    return NeedInput(exchange,
                     {{"capital_question", Sampling("What is the capital of France?", 100)}});
  }
  RpcAnswer InputRoots(const Json& params, McpExchange& exchange) {
    const Json& roots =
        JsonMember(JsonMember(JsonMember(params, "inputResponses"), "client_roots"), "roots");
    if (roots.is_array()) return TextResult("Roots: " + PrintJson(roots));
    return NeedInput(exchange, {{"client_roots", Roots()}});
  }
  // Confirmation is valid only with the state of the question.
  RpcAnswer InputState(const Json& params, McpExchange& exchange) {
    const auto state = StateOf(params);
    if (!state) return tl::unexpected(state.error());
    if (*state == "confirm" && Accepted(params, "confirm", "ok") == Json(true)) {
      return TextResult("state-ok");
    }
    return NeedInput(exchange, {{"confirm", Elicitation("Please confirm", {{"ok", kBoolean}})}},
                     "confirm");
  }
  RpcAnswer InputMultiple(const Json& params, McpExchange& exchange) {
    const auto state = StateOf(params);
    if (!state) return tl::unexpected(state.error());
    if (*state == "inputs" && HasInput(params, "user_name") && HasInput(params, "greeting") &&
        HasInput(params, "client_roots")) {
      return TextResult("All inputs were given.");
    }
    return NeedInput(exchange,
                     {{"user_name", Elicitation("What is your name?", {{"name", kText}})},
                      {"greeting", Sampling("Generate a greeting", 50)},
                      {"client_roots", Roots()}},
                     "inputs");
  }
  RpcAnswer InputRounds(const Json& params, McpExchange& exchange) {
    const auto state = StateOf(params);
    if (!state) return tl::unexpected(state.error());
    constexpr std::string_view kSecond = "second:";
    if (*state == "first" && Accepted(params, "step1", "name").is_string()) {
      return NeedInput(
          exchange,
          {{"step2", Elicitation("Step 2: What is your favorite color?", {{"color", kText}})}},
          std::string(kSecond) + std::string(Accepted(params, "step1", "name")));
    }
    if (state->starts_with(kSecond) && Accepted(params, "step2", "color").is_string()) {
      return TextResult(state->substr(kSecond.size()) + " likes " +
                        std::string(Accepted(params, "step2", "color")));
    }
    return NeedInput(exchange,
                     {{"step1", Elicitation("Step 1: What is your name?", {{"name", kText}})}},
                     "first");
  }
  // Asks only for what the client can do.
  RpcAnswer InputCapabilities(const Json& params, McpExchange& exchange) {
    if (JsonMember(params, "inputResponses").is_object()) return TextResult("Thank you.");
    const Json& can = exchange.context().client_capabilities;
    const bool all = Has("ignore-capabilities");
    Json requests = Json::object();
    if (all || can.contains("elicitation")) {
      requests["user_name"] = Elicitation("What is your name?", {{"name", kText}});
    }
    if (all || can.contains("sampling")) requests["greeting"] = Sampling("Generate a greeting", 50);
    if (all || can.contains("roots")) requests["client_roots"] = Roots();
    if (requests.empty()) return TextResult("The client can give no input.");
    return NeedInput(exchange, std::move(requests));
  }

  const std::shared_ptr<FixtureState> state_;
  const McpServerInfo info_ = {"fixture", "Conformance fixture", "1", "Only for tests."};
};

const std::array<FixtureService::Tool, 24> FixtureService::kTools = {{
    {"test_simple_text", "", &FixtureService::SimpleText},
    {"test_image_content", "", &FixtureService::Image},
    {"test_audio_content", "", &FixtureService::Audio},
    {"test_embedded_resource", "", &FixtureService::EmbeddedResource},
    {"test_multiple_content_types", "", &FixtureService::MultipleContents},
    {"test_tool_with_logging", "", &FixtureService::Logging},
    {"test_logging_tool", "", &FixtureService::Logging},
    {"test_error_handling", "", &FixtureService::Error},
    {"test_tool_with_progress", "", &FixtureService::Progress},
    {"test_sampling", "prompt", &FixtureService::AskSampling},
    {"test_elicitation", "message", &FixtureService::AskElicitation},
    {"test_elicitation_sep1034_defaults", "", &FixtureService::AskDefaults},
    {"test_elicitation_sep1330_enums", "", &FixtureService::AskEnums},
    {"json_schema_2020_12_tool", "", &FixtureService::SimpleText},
    {"test_missing_capability", "", &FixtureService::MissingCapability},
    {"test_streaming_elicitation", "", &FixtureService::InputElicitation},
    {"test_input_required_result_elicitation", "", &FixtureService::InputElicitation},
    {"test_input_required_result_sampling", "", &FixtureService::InputSampling},
    {"test_input_required_result_list_roots", "", &FixtureService::InputRoots},
    {"test_input_required_result_request_state", "", &FixtureService::InputState},
    {"test_input_required_result_tampered_state", "", &FixtureService::InputState},
    {"test_input_required_result_multiple_inputs", "", &FixtureService::InputMultiple},
    {"test_input_required_result_multi_round", "", &FixtureService::InputRounds},
    {"test_input_required_result_capabilities", "", &FixtureService::InputCapabilities},
}};

}  // namespace

std::span<const std::string_view> FixtureFaults() { return kFaults; }

std::unique_ptr<McpService> MakeFixtureService(const std::shared_ptr<FixtureState>& state) {
  return std::make_unique<FixtureService>(state);
}

}  // namespace recall
