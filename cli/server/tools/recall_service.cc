#include "cli/server/tools/recall_service.h"

#include <algorithm>

#include "cli/server/tools/allowed_paths.h"
#include "cli/server/tools/answer_budget.h"
#include "cli/server/tools/code_answers.h"
#include "cli/server/tools/lines_answer.h"
#include "cli/server/tools/resource_uri.h"
#include "cli/server/tools/shortened_json.h"
#include "cli/server/tools/tool_answers.h"
#include "cli/server/tools/turns_answer.h"
#include "index/subword/token_estimate.h"
#include "storage/base/clock.h"

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

// The text of an error. A message that repeats a long argument is cut.
std::string TextOf(const ToolFault& fault, int64_t budget) {
  const std::string hint = fault.hint.empty() ? "" : "\nhint: " + fault.hint;
  const std::string text = fault.code + ": " + fault.message;
  if (EstimateTokens(text + hint) <= budget) return text + hint;
  const int64_t room = std::max(budget - EstimateTokens(hint) - 4, budget / 4);
  const std::string cut = text.substr(0, PrefixThatFits(text, room)) + "…" + hint;
  return cut.substr(0, PrefixThatFits(cut, budget));
}

// An error that the model can mend, so no error of the protocol.
Json ResultOf(const ToolFault& fault, int64_t budget) {
  std::string text = TextOf(fault, budget);
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

// Documents are also named by the URIs of resources: recall://doc/PATH?lines=9-17.
void ResolveUris(ToolArguments& arguments) {
  std::vector<std::string> targets = arguments.Texts("target");
  if (targets.empty()) return;
  for (std::string& target : targets) {
    const auto uri = ParseResourceUri(target);
    if (!uri || uri->kind != "doc" || uri->path.empty() || !uri->snapshot.empty()) continue;
    target = uri->path + (uri->lines.empty() ? "" : ":" + uri->lines);
  }
  arguments.Replace("target", std::move(targets));
}

// What an assistant reads by `get` was used. A use that cannot be recorded is no error of the
// answer.
void RecordUses(const std::vector<std::string>& targets, CommandRunner& runner) {
  std::vector<std::string> args = {"--use", "--lean", "--fields=path", "--"};
  args.insert(args.end(), targets.begin(), targets.end());
  runner.Run("get", std::move(args));
}

// Commands with two arguments take them as words.
void JoinWords(ToolArguments& arguments, std::string_view tool) {
  const auto join = [&](std::string_view into, std::string_view first, std::string_view second) {
    std::vector<std::string> words = arguments.Texts(first);
    for (std::string& word : arguments.Texts(second)) words.push_back(std::move(word));
    arguments.Replace(into, std::move(words));
  };
  if (tool == "save") join("title", "type", "title");
  if (tool == "grep") join("pattern", "pattern", "paths");
  if (tool == "link" || tool == "unlink") join("source", "source", "target");
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
  if (!options.scope.empty()) status["scope"] = options.scope;
  status["max_tokens"] = options.max_tokens;
  status["version"] = options.info.version;
  ShortenToFit(status, options.max_tokens);
  return ToolAnswer{PrintJson(status), structured ? status : Json(nullptr)};
}

ToolResult AnswerOnce(const CallOfTool& call, const RecallServiceOptions& options,
                      CommandRunner& runner) {
  switch (call.tool.kind) {
    case ToolKind::kLines:
      return AnswerWithLines(call, runner);
    case ToolKind::kMap:
      return AnswerWithMap(call, runner);
    case ToolKind::kMatches:
      return AnswerWithMatches(call, runner);
    case ToolKind::kSymbols:
      return AnswerWithSymbols(call, runner);
    case ToolKind::kChanges:
      return AnswerWithChanges(call, runner);
    case ToolKind::kContext:
      return AnswerWithContext(call, runner);
    case ToolKind::kGet:
      return AsksForTurns(call) ? AnswerWithTurns(call, runner) : AnswerWithTexts(call, runner);
    case ToolKind::kStatus:
      return AnswerWithStatus(options, call.structured, runner);
    case ToolKind::kObject:
      return AnswerWithObject(call, runner);
  }
  return tl::unexpected(ToolFault{"internal", "a tool has no answer", ""});
}

// The estimate of a text differs a little from that of its parts, and JSON is longer than the text
// in it: an answer that became too long is made again, with a smaller budget.
ToolResult Answer(CallOfTool call, const RecallServiceOptions& options, CommandRunner& runner) {
  constexpr int kMostAttempts = 8;
  const int64_t budget = call.budget_tokens;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    ToolResult result = AnswerOnce(call, options, runner);
    const bool fixed = call.tool.kind == ToolKind::kStatus || call.tool.kind == ToolKind::kObject;
    const bool too_small = attempt > 0 && !result && result.error().code == "limit_exceeded";
    if (too_small) break;  // it would name another budget than that of the request
    if (!result || fixed) return result;
    const int64_t tokens = EstimateTokens(result->text);
    if (tokens <= budget) return result;
    // In proportion if it is far too long; else by the excess, and by more each time, because an
    // answer that ended before its budget does not get shorter at once.
    const int64_t excess = (tokens - budget) << attempt;
    const int64_t least = std::max(call.budget_tokens - excess, call.budget_tokens / 2);
    call.budget_tokens = std::min(least, call.budget_tokens * budget / (tokens + 1)) - 1;
  }
  return tl::unexpected(ToolFault{
      "limit_exceeded", "the answer does not fit into " + std::to_string(budget) + " tokens",
      "raise budget_tokens"});
}

// While it exists, tells a client of the progress of its request: always more than before, as the
// protocol demands, and at most four times a second.
class ProgressNotifier final {
 public:
  ProgressNotifier(McpExchange* exchange, CommandRunner* runner)
      : exchange_(exchange), runner_(runner) {
    runner_->OnProgress([this](const CommandProgress& progress) { Tell(progress); });
  }
  ~ProgressNotifier() { runner_->OnProgress({}); }
  ProgressNotifier(const ProgressNotifier&) = delete;
  ProgressNotifier& operator=(const ProgressNotifier&) = delete;

 private:
  void Tell(const CommandProgress& progress) {
    const int64_t done = progress.done.value_or(last_ + 1);
    const int64_t now = SteadyMicros();
    if (done <= last_ || now < next_) return;
    Json params = {{"progressToken", exchange_->context().progress_token}, {"progress", done}};
    if (progress.total > 0) params["total"] = std::max(progress.total, done);
    // Revision 2024-11-05 has no messages.
    if (exchange_->context().revision != "2024-11-05") params["message"] = progress.message;
    exchange_->Notify("notifications/progress", std::move(params));
    last_ = done;
    next_ = now + kPauseMicros;
  }

  static constexpr int64_t kPauseMicros = 250'000;

  McpExchange* const exchange_;
  CommandRunner* const runner_;
  int64_t last_ = 0;
  int64_t next_ = 0;
};

}  // namespace

Json RecallService::Capabilities() const {
  return {{"tools", Json::object()},
          {"resources", Json::object()},
          {"prompts", Json::object()},
          {"completions", Json::object()}};
}

bool OffersTool(const RecallServiceOptions& options, const ToolInfo& tool) {
  if (tool.writes && !options.allow_write) return false;
  const auto named = [&](std::string_view name) {
    return std::ranges::find(options.tools, name) != options.tools.end();
  };
  const bool usual = options.tools.empty() || named(kUsualTools);
  return named(tool.name) || (usual && !tool.on_request);
}

RpcAnswer RecallService::ListTools() {
  Json tools = Json::array();
  for (const ToolInfo& tool : AllTools()) {
    if (OffersTool(options_, tool)) tools.push_back(DescribeTool(tool, options_.structured));
  }
  return Json{{"tools", std::move(tools)}};
}

RpcAnswer RecallService::CallTool(const std::string& name, const Json& params,
                                  McpExchange& exchange) {
  const auto tools = AllTools();
  const auto tool = std::ranges::find(tools, name, &ToolInfo::name);
  if (tool == tools.end() || !OffersTool(options_, *tool)) {
    std::string names;
    for (const ToolInfo& other : tools) {
      if (OffersTool(options_, other))
        names += (names.empty() ? "" : ", ") + std::string(other.name);
    }
    return RpcFailure(RpcCode::kInvalidParams, "unknown tool '" + name + "'; there are " + names);
  }
  std::optional<ProgressNotifier> notifier;
  if (!exchange.context().progress_token.is_null()) notifier.emplace(&exchange, runner_.get());
  return RunTool(name, JsonMember(params, "arguments"));
}

Json RecallService::RunTool(std::string_view name, const Json& given) {
  const ToolInfo& tool = *std::ranges::find(AllTools(), name, &ToolInfo::name);
  auto arguments = ToolArguments::Read(tool, given);
  if (!arguments) return ResultOf(arguments.error(), kLeastAnswerTokens);
  const auto budget = BudgetOf(*arguments, options_.max_tokens);
  if (!budget) return ResultOf(budget.error(), kLeastAnswerTokens);
  ResolveUris(*arguments);
  JoinWords(*arguments, tool.name);
  const auto cursor = CursorOf(*arguments);
  if (!cursor) return ResultOf(cursor.error(), *budget);
  if (tool.name == "add" && !options_.scope.empty() && arguments->IsTrue("sync")) {
    return ResultOf(InvalidToolArgument("sync is not available within a scope",
                                        "it could remove documents outside of the scope"),
                    *budget);
  }
  if (tool.name == "add" || tool.name == "related") {
    auto paths = PathsBelow(options_.root, arguments->Texts(tool.words));
    if (!paths) return ResultOf(paths.error(), *budget);
    arguments->Replace(tool.words, *std::move(paths));
  }
  if (options_.auto_index && !tool.writes) {
    if (const auto failed = options_.auto_index->Update(*runner_))
      return ResultOf(FaultOf(*failed), *budget);
  }
  const CallOfTool call{tool, *arguments, *cursor, *budget, options_.structured};
  const ToolResult result = Answer(call, options_, *runner_);
  if (result && tool.name == "get" && options_.allow_write && cursor->targets.empty()) {
    RecordUses(arguments->Texts("target"), *runner_);
  }
  return result ? ResultOf(*result) : ResultOf(result.error(), *budget);
}

}  // namespace recall
