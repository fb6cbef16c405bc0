// Prompts and completion of the MCP service.

#include <algorithm>
#include <array>

#include "cli/server/tools/recall_service.h"
#include "cli/server/tools/tool_answers.h"

namespace recall {
namespace {

// The protocol allows no more values of a completion.
constexpr size_t kMostCompletions = 100;

constexpr std::string_view kAnswerPrompt = "answer-with-citations";
constexpr std::string_view kChangesPrompt = "what-changed";

Json Argument(std::string_view name, std::string_view description, bool required) {
  return {{"name", name}, {"description", description}, {"required", required}};
}

Json UserMessage(std::string_view description, std::string text) {
  Json message = {{"role", "user"}, {"content", {{"type", "text"}, {"text", std::move(text)}}}};
  return {{"description", description}, {"messages", Json::array({std::move(message)})}};
}

// The text of a tool's answer, or an error of the protocol: a prompt has no other.
tl::expected<std::string, RpcError> TextOf(const RpcAnswer& answer) {
  if (!answer) return tl::unexpected(answer.error());
  const std::string text = JsonText((*answer)["content"][0], "text");
  if (JsonMember(*answer, "isError") == true) return RpcFailure(RpcCode::kInvalidParams, text);
  return text;
}

// A text as part of a GLOB pattern that matches it literally.
std::string EscapedForGlob(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("*?[]{}\\").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

RpcAnswer RecallService::ListPrompts() {
  Json prompts = Json::array();
  prompts.push_back(
      {{"name", kAnswerPrompt},
       {"description", "answer a question from the documents, with citations"},
       {"arguments", Json::array({Argument("question", "what to answer", true),
                                  Argument("budget", "tokens of evidence", false)})}});
  prompts.push_back({{"name", kChangesPrompt},
                     {"description", "sum up the documents that changed"},
                     {"arguments", Json::array({Argument("since", "a time, or '-7d'", true),
                                                Argument("filter", "an RQL filter", false)})}});
  return Json{{"prompts", std::move(prompts)}};
}

RpcAnswer RecallService::GetPrompt(const std::string& name, const Json& params, McpExchange&) {
  const Json& given = JsonMember(params, "arguments");
  const auto required = [&](std::string_view argument) -> tl::expected<std::string, RpcError> {
    std::string text = JsonText(given, argument);
    if (!text.empty()) return text;
    return RpcFailure(RpcCode::kInvalidParams,
                      "the argument " + std::string(argument) + " is missing");
  };
  if (name == kAnswerPrompt) {
    const auto question = required("question");
    if (!question) return tl::unexpected(question.error());
    Json arguments = {{"query", *question}};
    if (!JsonText(given, "budget").empty()) arguments["budget_tokens"] = JsonText(given, "budget");
    const auto evidence = TextOf(RunTool("context", arguments));
    if (!evidence) return tl::unexpected(evidence.error());
    return UserMessage("a question with the passages that answer it",
                       "Answer the question from the passages below, and from nothing else. Cite "
                       "each statement by the path and lines in brackets above its passage. Say so "
                       "if they do not answer it.\n\nQuestion: " +
                           *question + "\n\n" + *evidence);
  }
  if (name == kChangesPrompt) {
    const auto since = required("since");
    if (!since) return tl::unexpected(since.error());
    std::string filter = "doc.mtime >= " + QuotedForRql(*since);
    if (const std::string more = JsonText(given, "filter"); !more.empty()) {
      filter = "(" + more + ") AND " + filter;
    }
    const std::string rql = "SELECT doc.path, doc.mtime, doc.chunks FROM doc FILTER " + filter +
                            " ORDER BY doc.mtime DESC LIMIT 100";
    const auto rows = TextOf(RunTool("query", {{"rql", rql}}));
    if (!rows) return tl::unexpected(rows.error());
    return UserMessage("the documents that changed",
                       "Sum up what changed in these documents since " + *since +
                           ". Read those that matter with the tool get.\n\n" + *rows);
  }
  return RpcFailure(RpcCode::kInvalidParams, "unknown prompt '" + name + "'; there are " +
                                                 std::string(kAnswerPrompt) + ", " +
                                                 std::string(kChangesPrompt));
}

RpcAnswer RecallService::Complete(const Json& params, McpExchange&) {
  const Json& ref = JsonMember(params, "ref");
  const Json& argument = JsonMember(params, "argument");
  const std::string type = JsonText(ref, "type");
  if (type != "ref/prompt" && type != "ref/resource") {
    return RpcFailure(RpcCode::kInvalidParams, "ref.type must be ref/prompt or ref/resource");
  }
  if (!JsonMember(argument, "name").is_string() || !JsonMember(argument, "value").is_string()) {
    return RpcFailure(RpcCode::kInvalidParams, "argument must have a name and a value");
  }
  const std::string name = JsonText(argument, "name");
  const std::string value = JsonText(argument, "value");
  Json values = Json::array();
  int64_t total = 0;
  if (type == "ref/resource" && name == "path") {
    const std::string rql = "SELECT doc.path FROM doc FILTER doc.path GLOB " +
                            QuotedForRql(EscapedForGlob(value) + "**") +
                            " ORDER BY doc.path ASC LIMIT " + std::to_string(kMostCompletions);
    const CommandOutput output = runner_->Run("query", {"--lean", "--", rql});
    const std::string& text = output.text;
    for (size_t at = 0; output.ok() && at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      const Json line = Json::parse(text.substr(at, end - at), nullptr, false);
      if (line.contains("doc.path")) values.push_back(line["doc.path"]);
      if (line.contains("total")) total = line["total"].get<int64_t>();
      at = end + 1;
    }
  } else if (type == "ref/prompt" && name == "since") {
    for (const std::string_view age : {"-1d", "-7d", "-30d"}) {
      if (age.starts_with(value)) values.push_back(age);
    }
    total = static_cast<int64_t>(values.size());
  } else if (type == "ref/prompt" && name == "budget") {
    for (const std::string_view tokens : {"1000", "2000", "4000"}) {
      if (tokens.starts_with(value)) values.push_back(tokens);
    }
    total = static_cast<int64_t>(values.size());
  }
  const bool more = total > static_cast<int64_t>(values.size());
  return Json{{"completion", {{"values", std::move(values)}, {"total", total}, {"hasMore", more}}}};
}

}  // namespace recall
