#include "cli/commands/commands.h"
#include "cli/commands/common_answer.h"
#include "cli/commands/scope_flags.h"
#include "cli/commands/search_flags.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

void WriteMapRow(const MapRow& row, JsonWriter& json) {
  json.Field("name", row.symbol.name);
  json.Field("kind", row.symbol.kind);
  json.Field("scope", row.symbol.scope);
  json.Field("start_line", row.symbol.start_line);
  json.Field("end_line", row.symbol.end_line);
  json.Field("score", row.score);
  json.Field("line", row.first_line);
  json.Field("signature", row.signature);
  json.Object("doc", [&] {
    json.Field("id", row.symbol.doc.id);
    json.Field("path", row.symbol.doc.path);
  });
}

class MapCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("PATH", &request_.paths, 0, SIZE_MAX,
                "only definitions of these documents, directories or patterns");
    flags.Number("--budget-tokens", &request_.budget_tokens, 1, INT32_MAX,
                 "maximum number of tokens of the whole map (default: 1000)");
    flags.Setting("--token-counter", "token_counter", "WHICH",
                  "estimate (default), words, or the path of a vocabulary");
    flags.Text("--about", &about_, "QUESTION", "prefer what has to do with this question");
    scope_.DeclareFilter(flags);
    scope_.DeclareSnapshot(flags);
    flags.Setting("--threads", "threads", "N", "threads; the answer is the same for any number");
  }

  Status Check(const GlobalFlags&) override { return scope_.Read(); }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    request_.about = about_.value_or("");
    request_.scope = scope_.scope();
    request_.token_counter = TokenCounterFrom(context.config);
    request_.threads = AskThreads(context.config);
    RECALL_ASSIGN(const MapResponse map, context.database->Map(request_));
    if (context.json()) {
      RECALL_TRY(SendJson(context, map, SteadyMicros() - start));
    } else {
      PrintText(context, map);
    }
    return ExitCode::kDone;
  }

 private:
  Status SendJson(CommandContext& context, const MapResponse& map, int64_t micros) const {
    Question question;
    question.text = request_.about;
    question.snapshot = request_.scope.snapshot;
    RECALL_ASSIGN(JsonResponse response, BeginAnswer(context, question, map, false, micros));
    response.results = {map.rows.size(),
                        [&](size_t row, JsonWriter& json) { WriteMapRow(map.rows[row], json); }};
    response.own_key = "map";
    response.own = [&](JsonWriter& json) {
      json.Field("text", map.text);
      json.Field("used_tokens", map.used_tokens);
      json.Field("budget_tokens", map.budget_tokens);
      json.Field("token_counter", map.token_counter);
      json.Field("definitions", map.total_hits);
      json.Field("documents", map.documents);
    };
    context.Send(std::move(response));
    return {};
  }

  // Standard output contains only the map, so it can be piped into a prompt.
  static void PrintText(CommandContext& context, const MapResponse& map) {
    context.PrintWarnings(map.warnings);
    context.out->Write(context.out_style.escape ? EscapeControls(map.text) : map.text);
    if (map.rows.empty()) return;
    const bool words = map.token_counter == kWhitespaceCounter;
    context.Remark(std::to_string(map.used_tokens) + " of " + std::to_string(map.budget_tokens) +
                   (words ? " words" : " tokens (" + map.token_counter + ")") + ", " +
                   std::to_string(map.rows.size()) + " of " + Plural(map.total_hits, "definition"));
  }

  MapRequest request_;
  std::optional<std::string> about_;
  ScopeFlags scope_;
};

}  // namespace

const CommandInfo kMapCommand = {
    "map",
    "[OPTIONS] [PATH...]",
    "show the most important definitions of source code within a token budget",
    "  recall map\n"
    "  recall map --budget-tokens 4000 src\n"
    "  recall map --about 'how is a commit written'\n"
    "  recall map --filter \"doc.path NOT GLOB 'tests/**'\" --json\n",
    "Of each document the path, then the lines of signatures with their numbers, which `recall "
    "get\n"
    "path:line` reads. Definitions are ranked by what refers to them: each file votes for those "
    "that\n"
    "it uses, with as much weight as others give it. Tests, examples, generated and vendored code\n"
    "come last. The budget counts everything that is printed. Source code has definitions if "
    "recall\n"
    "was built with the grammar of its language when it was added.\n",
    [] { return std::unique_ptr<Command>(new MapCommand); }};

}  // namespace recall
