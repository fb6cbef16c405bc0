#include "cli/tools/recall_service.h"

#include <algorithm>

#include "cli/tools/allowed_paths.h"
#include "cli/tools/tool_answers.h"
#include "index/subword/token_estimate.h"

namespace recall {
namespace {

Json TextContent(std::string text) {
  return Json::array({{{"type", "text"}, {"text", std::move(text)}}});
}

Json ResultOf(const ToolAnswer& answer) {
  Json result = {{"content", TextContent(answer.text)}};
  if (!answer.structured.is_null()) result["structuredContent"] = answer.structured;
  return result;
}

// An error that the model can mend, so no error of the protocol.
Json ResultOf(const ToolFault& fault) {
  std::string text = fault.code + ": " + fault.message;
  if (!fault.hint.empty()) text += "\nhint: " + fault.hint;
  return {{"content", TextContent(std::move(text))}, {"isError", true}};
}

// The budget of an answer. Errors: invalid_argument.
tl::expected<int64_t, ToolFault> BudgetOf(const ToolArguments& arguments, int64_t most) {
  const auto wanted = arguments.Integer("budget_tokens");
  if (!wanted) return most;
  if (*wanted < kLeastAnswerTokens) {
    return tl::unexpected(
        InvalidToolArgument("budget_tokens must be at least " + std::to_string(kLeastAnswerTokens) +
                                ", not " + std::to_string(*wanted),
                            "this server answers with at most " + std::to_string(most)));
  }
  return std::min(*wanted, most);
}

tl::expected<Cursor, ToolFault> CursorOf(const ToolArguments& arguments) {
  const auto text = arguments.Text("cursor");
  if (!text || text->empty()) return Cursor();
  auto cursor = DecodeCursor(*text);
  if (!cursor) {
    return tl::unexpected(InvalidToolArgument("the cursor is damaged",
                                              "copy it as the answer printed it, or "
                                              "omit it to begin again"));
  }
  if (cursor->fingerprint != arguments.Fingerprint()) {
    return tl::unexpected(InvalidToolArgument(
        "the cursor belongs to another request",
        "repeat the arguments of the request that gave it; only budget_tokens and k may "
        "change"));
  }
  return *std::move(cursor);
}

// ---- Status -------------------------------------------------------------------------------------

ToolResult AnswerWithStatus(const RecallServiceOptions& options, bool structured,
                            CommandRunner& runner) {
  const CommandOutput output = runner.Run("stats", {"--json", "--stable"});
  if (!output.ok()) return tl::unexpected(FaultOf(output));
  const Json answer = Json::parse(output.text, nullptr, false);
  const Json& stats = JsonMember(answer, "stats");
  const Json& corpus = JsonMember(stats, "corpus");
  const Json& store = JsonMember(answer, "store");
  Json status = {{"docs", JsonMember(corpus, "docs")},
                 {"chunks", JsonMember(corpus, "chunks")},
                 {"bytes", JsonMember(corpus, "bytes")},
                 {"snapshot", JsonMember(stats, "snapshot")},
                 {"embedding", JsonMember(store, "embedding")}};
  if (!options.scope.empty()) {
    // The counts of the store would tell of documents that do not exist for this client.
    const CommandOutput listed =
        runner.Run("query", {"--lean", "--", "SELECT doc.path FROM doc LIMIT 1"});
    const size_t last = listed.text.rfind('\n', listed.text.size() - 2);
    const Json totals =
        Json::parse(listed.text.substr(last == std::string::npos ? 0 : last + 1), nullptr, false);
    status = {{"docs", JsonMember(totals, "total")},
              {"snapshot", JsonMember(stats, "snapshot")},
              {"embedding", JsonMember(store, "embedding")},
              {"scope", options.scope}};
  }
  status["max_tokens"] = options.max_tokens;
  status["version"] = options.info.version;
  return ToolAnswer{PrintJson(status), structured ? status : Json(nullptr)};
}

ToolResult AnswerOnce(const ToolCall& call, const RecallServiceOptions& options,
                      CommandRunner& runner) {
  switch (call.tool.kind) {
    case ToolKind::kLines:
      return AnswerWithLines(call, runner);
    case ToolKind::kContext:
      return AnswerWithContext(call, runner);
    case ToolKind::kGet:
      return AnswerWithTexts(call, runner);
    case ToolKind::kStatus:
      return AnswerWithStatus(options, call.structured, runner);
    case ToolKind::kObject:
      return AnswerWithObject(call, runner);
  }
  return tl::unexpected(ToolFault{"internal", "a tool has no answer", ""});
}

// The estimate of a text differs a little from that of its parts, and JSON is longer than the text
// in it: an answer that became too long is made again, with a smaller budget.
ToolResult Answer(ToolCall call, const RecallServiceOptions& options, CommandRunner& runner) {
  constexpr int kMostAttempts = 6;
  const int64_t budget = call.budget_tokens;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    ToolResult result = AnswerOnce(call, options, runner);
    const bool fixed = call.tool.kind == ToolKind::kStatus || call.tool.kind == ToolKind::kObject;
    if (!result || fixed) return result;
    const int64_t tokens = EstimateTokens(result->text);
    if (tokens <= budget) return result;
    call.budget_tokens = call.budget_tokens * budget / (tokens + 1) - 1;
  }
  return tl::unexpected(ToolFault{
      "limit_exceeded", "the answer does not fit into " + std::to_string(budget) + " tokens",
      "raise budget_tokens"});
}

}  // namespace

Json RecallService::Capabilities() const {
  return {{"tools", Json::object()},
          {"resources", Json::object()},
          {"prompts", Json::object()},
          {"completions", Json::object()}};
}

bool RecallService::Offers(const ToolInfo& tool) const {
  if (tool.writes && !options_.allow_write) return false;
  return options_.tools.empty() ||
         std::ranges::find(options_.tools, tool.name) != options_.tools.end();
}

RpcAnswer RecallService::ListTools() {
  Json tools = Json::array();
  for (const ToolInfo& tool : AllTools()) {
    if (Offers(tool)) tools.push_back(DescribeTool(tool, options_.structured));
  }
  return Json{{"tools", std::move(tools)}};
}

RpcAnswer RecallService::CallTool(const std::string& name, const Json& params, McpExchange&) {
  const auto tools = AllTools();
  const auto tool = std::ranges::find(tools, name, &ToolInfo::name);
  if (tool == tools.end() || !Offers(*tool)) {
    std::string names;
    for (const ToolInfo& other : tools) {
      if (Offers(other)) names += (names.empty() ? "" : ", ") + std::string(other.name);
    }
    return RpcFailure(RpcCode::kInvalidParams, "unknown tool '" + name + "'; there are " + names);
  }
  const auto arguments = ToolArguments::Read(*tool, JsonMember(params, "arguments"));
  if (!arguments) return ResultOf(arguments.error());
  const auto budget = BudgetOf(*arguments, options_.max_tokens);
  if (!budget) return ResultOf(budget.error());
  const auto cursor = CursorOf(*arguments);
  if (!cursor) return ResultOf(cursor.error());
  ToolArguments checked = *arguments;
  if (tool->name == "add") {
    auto paths = PathsBelow(options_.root, checked.Texts("paths"));
    if (!paths) return ResultOf(paths.error());
    checked.Replace("paths", *std::move(paths));
  }
  if (options_.auto_index && !tool->writes) {
    if (const auto failed = options_.auto_index->Update(*runner_))
      return ResultOf(FaultOf(*failed));
  }
  const ToolCall call{*tool, checked, *cursor, *budget, options_.structured};
  const ToolResult result = Answer(call, options_, *runner_);
  return result ? ResultOf(*result) : ResultOf(result.error());
}

}  // namespace recall
