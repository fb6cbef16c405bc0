// The answers of the tools `map`, `grep`, `symbols` and `related`, from the JSON of these commands.
//
//   grep                 {"path": "src/store.cc", "lines": "40", "text": "  return Commit();"}
//   symbols              {"path", "lines": "17-40", "kind": "method", "name": "Store::Commit"}
//     references         {"path", "lines": "40", "in": "Store::Close", "text", "evidence"}
//     callers, callees   {"path", "lines": "17-40", "kind", "name", "calls": "40, 43"}
//   related              {"path", "score": 0.74, "together": 5, "sessions": [], "commits": []}
//
// `path` and `lines` together are what `get` reads.

#include "cli/server/tools/code_answers.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/server/tools/answer_text.h"
#include "cli/server/tools/lines_answer.h"
#include "cli/server/tools/shortened_json.h"
#include "cli/show/output/number_text.h"

namespace recall {
namespace {

// What the line of totals below a map costs at most.
constexpr int64_t kMapTotalsTokens = 60;

constexpr std::array<std::string_view, 3> kRelations = {"references", "callers", "callees"};

std::string NumberText(const Json& number) {
  return number.is_number_unsigned() ? std::to_string(number.get<uint64_t>()) : std::string();
}

std::string LinesOfSymbol(const Json& symbol) {
  const std::string first = NumberText(JsonMember(symbol, "start_line"));
  const std::string last = NumberText(JsonMember(symbol, "end_line"));
  return first == last ? first : first + "-" + last;
}

// "Store::Commit", which the argument `name` takes.
std::string QualifiedNameOf(const Json& symbol) {
  constexpr std::string_view kNested = " > ";
  std::string name = JsonText(symbol, "scope");
  for (size_t at = 0; (at = name.find(kNested, at)) != std::string::npos;) {
    name.replace(at, kNested.size(), "::");
  }
  return name + (name.empty() ? "" : "::") + JsonText(symbol, "name");
}

void AddMatches(const Json& document, std::vector<std::string>& rows) {
  const std::string path = JsonText(JsonMember(document, "doc"), "path");
  for (const Json& line : JsonMember(document, "lines")) {
    rows.push_back(PrintJson({{"path", path},
                              {"lines", NumberText(JsonMember(line, "line"))},
                              {"text", JsonText(line, "text")}}));
  }
}

Json DefinitionRow(const Json& symbol, std::string path) {
  return {{"path", std::move(path)},
          {"lines", LinesOfSymbol(symbol)},
          {"kind", JsonText(symbol, "kind")},
          {"name", QualifiedNameOf(symbol)}};
}

void AddSymbol(const Json& found, std::string_view relation, std::vector<std::string>& rows) {
  const std::string path = JsonText(JsonMember(found, "doc"), "path");
  const Json& symbol = JsonMember(found, "symbol");
  Json row;
  if (relation.empty()) {
    row = DefinitionRow(found, path);
  } else if (relation == "references") {
    row = {{"path", path}, {"lines", NumberText(JsonMember(found, "line"))}};
    if (!symbol.is_null()) row["in"] = QualifiedNameOf(symbol);
    row["text"] = JsonText(found, "text");
    row["evidence"] = JsonText(found, "evidence");
  } else {
    row = DefinitionRow(symbol, JsonText(symbol, "path"));
    std::string calls;
    for (const Json& line : JsonMember(found, "lines")) {
      calls += (calls.empty() ? "" : ", ") + NumberText(line);
    }
    row["calls"] = calls;
  }
  rows.push_back(PrintJson(row));
}

void AddChange(const Json& file, std::vector<std::string>& rows) {
  const Json& score = JsonMember(file, "score");
  rows.push_back(
      PrintJson({{"path", JsonText(file, "path")},
                 {"score", score.is_number() ? Json(LeanScore(score.get<double>())) : score},
                 {"together", JsonMember(file, "together")},
                 {"sessions", JsonMember(JsonMember(file, "sessions"), "newest")},
                 {"commits", JsonMember(JsonMember(file, "commits"), "newest")}}));
}

// The lines and the totals of an answer. `add` makes the lines of each result.
template <typename Add>
LinePage PageOfRows(const CallOfTool& call, const Json& answer, const Add& add) {
  const Json& stats = JsonMember(answer, "stats");
  LinePage page;
  page.offset = call.cursor.offset;
  page.more = !JsonMember(answer, "next_offset").is_null();
  page.totals = {{"total", JsonMember(stats, "total_hits")},
                 {"snapshot", JsonMember(stats, "snapshot")}};
  if (answer.contains("warnings")) page.totals["warnings"] = answer["warnings"];
  for (const Json& result : JsonMember(answer, "results")) add(result, page.lines);
  return page;
}

// Runs the command, and answers with its lines.
template <typename Add>
ToolResult AnswerWithRows(const CallOfTool& call, std::vector<std::string> args,
                          CommandRunner& runner, const Add& add) {
  const CommandOutput output = runner.Run(call.tool.name, std::move(args));
  if (!output.ok()) return tl::unexpected(FaultOf(output));
  return FitPage(call, PageOfRows(call, ParsedLine(output.text), add));
}

}  // namespace

ToolResult AnswerWithMap(const CallOfTool& call, CommandRunner& runner) {
  const int64_t room = call.budget_tokens - kMapTotalsTokens;
  if (room < 1) return tl::unexpected(BudgetTooSmall(call.budget_tokens));
  const CommandOutput output = runner.Run(
      call.tool.name, PageArgs(call, {"--json", "--budget-tokens=" + std::to_string(room)}, false));
  if (!output.ok()) return tl::unexpected(FaultOf(output));
  const Json answer = ParsedLine(output.text);
  const Json& map = JsonMember(answer, "map");
  Json totals = {{"used_tokens", JsonMember(map, "used_tokens")},
                 {"definitions", JsonMember(map, "definitions")},
                 {"snapshot", JsonMember(JsonMember(answer, "stats"), "snapshot")}};
  if (answer.contains("warnings")) {
    totals["warnings"] = answer["warnings"];
    ShortenWarnings(totals, kMapTotalsTokens);
  }
  const std::string text = JsonText(map, "text");
  if (call.structured) {
    Json structured = {{"text", text}};
    structured.update(totals);
    return ToolAnswer{PrintJson(structured), structured};
  }
  return ToolAnswer{text + PrintJson(totals)};
}

ToolResult AnswerWithMatches(const CallOfTool& call, CommandRunner& runner) {
  return AnswerWithRows(call, PageArgs(call, {"--json"}, true), runner, AddMatches);
}

ToolResult AnswerWithSymbols(const CallOfTool& call, CommandRunner& runner) {
  std::string relation = call.arguments.Text("relation").value_or("");
  if (relation == "definitions") relation.clear();
  std::vector<std::string> args = PageArgs(call, {"--json"}, true);
  if (!relation.empty()) {
    if (std::ranges::find(kRelations, relation) == kRelations.end()) {
      return tl::unexpected(InvalidToolArgument("there is no relation '" + relation + "'",
                                                "it is references, callers or callees"));
    }
    args.insert(args.begin(), "--" + relation);
  }
  return AnswerWithRows(
      call, std::move(args), runner,
      [&](const Json& found, std::vector<std::string>& rows) { AddSymbol(found, relation, rows); });
}

ToolResult AnswerWithChanges(const CallOfTool& call, CommandRunner& runner) {
  const CommandOutput output = runner.Run(call.tool.name, PageArgs(call, {"--json"}, false));
  if (!output.ok()) return tl::unexpected(FaultOf(output));
  const Json answer = ParsedLine(output.text);
  const Json& changes = JsonMember(answer, "changes");
  LinePage page = PageOfRows(call, answer, AddChange);
  for (const char* const name : {"path", "sessions", "commits"}) {
    page.totals[name] = JsonMember(changes, name);
  }
  SkipLines(call.cursor.offset, page);
  return FitPage(call, std::move(page));
}

}  // namespace recall
