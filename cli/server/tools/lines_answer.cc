#include "cli/server/tools/lines_answer.h"

#include <algorithm>
#include <utility>

#include "cli/server/tools/answer_budget.h"
#include "cli/server/tools/answer_text.h"
#include "cli/server/tools/shortened_json.h"
#include "index/subword/token_estimate.h"

namespace recall {
namespace {

Json WithoutOffset(Json totals) {
  totals.erase("next_offset");
  return totals;
}

ToolAnswer LinesAnswer(const CallOfTool& call, std::vector<std::string> lines, const Json& totals) {
  ToolAnswer answer;
  if (call.structured) {
    answer.structured = {{"results", Json::array()}};
    for (const std::string& line : lines) answer.structured["results"].push_back(ParsedLine(line));
    answer.structured.update(totals);
    answer.text = PrintJson(answer.structured);
    return answer;
  }
  for (const std::string& line : lines) answer.text += line + "\n";
  answer.text += PrintJson(totals);
  return answer;
}

// The lines that a command printed, and the totals behind them.
LinePage ReadLeanLines(std::string_view output) {
  LinePage page;
  page.lines = OutputLines(output);
  page.totals = page.lines.empty() ? Json::object() : ParsedLine(page.lines.back());
  if (!page.lines.empty()) page.lines.pop_back();
  return page;
}

// Whole hits are printed by --jsonl, behind a line about the answer.
LinePage ReadFullLines(std::string_view output) {
  LinePage page;
  const std::vector<std::string> lines = OutputLines(output);
  const Json meta = lines.empty() ? Json::object() : ParsedLine(lines.front());
  for (size_t i = 1; i < lines.size(); ++i) {
    page.lines.push_back(PrintJson(JsonMember(ParsedLine(lines[i]), "item")));
  }
  const Json& stats = JsonMember(meta, "stats");
  page.totals = {{"total", JsonMember(stats, "total_hits")}};
  if (JsonMember(stats, "total_hits_is_lower_bound") == true) {
    page.totals["total_is_lower_bound"] = true;
  }
  const Json& next = JsonMember(meta, "next_offset");
  if (!next.is_null()) page.totals["next_offset"] = next;
  page.totals["snapshot"] = JsonMember(stats, "snapshot");
  if (meta.contains("related")) page.totals["related"] = LeanNeighbours(meta["related"]);
  if (meta.contains("warnings")) page.totals["warnings"] = meta["warnings"];
  return page;
}

}  // namespace

ToolResult FitPage(const CallOfTool& call, LinePage page) {
  const auto totals_after = [&](size_t count) {
    Json totals = WithoutOffset(page.totals);
    const bool cut = count < page.lines.size();
    if (cut) totals["truncated"] = true;
    if (cut || page.more) {
      totals["cursor"] = EncodeCursor({call.arguments.Fingerprint(),
                                       page.offset + count,
                                       JsonText(page.totals, "snapshot"),
                                       {}});
    }
    return totals;
  };
  // The envelope of structured answers costs a little more.
  const int64_t budget = call.budget_tokens - (call.structured ? 12 : 0);
  ShortenWarnings(page.totals, budget / 2);
  ShortenRelated(page.totals, budget / 2);
  size_t count = page.lines.size();
  if (LinesThatFit(page.lines, PrintJson(totals_after(count)), budget) < count) {
    count = LinesThatFit(page.lines, PrintJson(totals_after(0)), budget);
  }
  if (count == 0 && !page.lines.empty()) {
    Json first = ParsedLine(page.lines.front());
    const Json totals = totals_after(1);
    if (!ShortenBefore(first, "\n" + PrintJson(totals), budget)) {
      return tl::unexpected(BudgetTooSmall(call.budget_tokens));
    }
    return LinesAnswer(call, {PrintJson(first)}, totals);
  }
  const Json totals = totals_after(count);
  page.lines.resize(count);
  return LinesAnswer(call, std::move(page.lines), totals);
}

void SkipLines(uint64_t count, LinePage& page) {
  const size_t skipped = std::min<size_t>(count, page.lines.size());
  page.lines.erase(page.lines.begin(), page.lines.begin() + static_cast<ptrdiff_t>(skipped));
}

std::vector<std::string> PageArgs(const CallOfTool& call, std::vector<std::string> first,
                                  bool has_offset) {
  std::vector<std::string> args = std::move(first);
  if (!call.cursor.snapshot.empty()) args.push_back("--snapshot=" + call.cursor.snapshot);
  if (has_offset && call.cursor.offset > 0) {
    args.push_back("--offset=" + std::to_string(call.cursor.offset));
  }
  for (std::string& flag : call.arguments.Flags()) args.push_back(std::move(flag));
  args.push_back("--");
  for (std::string& word : call.arguments.Texts(call.tool.words)) args.push_back(std::move(word));
  return args;
}

ToolResult AnswerWithLines(const CallOfTool& call, CommandRunner& runner) {
  const bool full = call.arguments.Text("payload") == "full";
  const bool ranked = call.tool.name != "query";
  const CommandOutput output =
      runner.Run(call.tool.name, PageArgs(call, {full ? "--jsonl" : "--lean"}, ranked));
  if (!output.ok()) return tl::unexpected(FaultOf(output));

  LinePage page = full ? ReadFullLines(output.text) : ReadLeanLines(output.text);
  page.offset = call.cursor.offset;
  page.more = ranked && page.totals.contains("next_offset");
  // RQL has its own OFFSET, so a part of its rows is skipped here.
  if (!ranked) SkipLines(call.cursor.offset, page);
  return FitPage(call, std::move(page));
}

}  // namespace recall
