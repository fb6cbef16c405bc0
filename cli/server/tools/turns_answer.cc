#include "cli/server/tools/turns_answer.h"

#include <string>
#include <utility>
#include <vector>

#include "cli/server/tools/answer_budget.h"
#include "index/subword/token_estimate.h"

namespace recall {
namespace {

// Room for the last line of an answer.
constexpr int64_t kTurnTotalsTokens = 80;

int64_t NumberMember(const Json& object, const char* name) {
  const Json& member = JsonMember(object, name);
  return member.is_number_integer() ? member.get<int64_t>() : 0;
}

// A turn under its heading, with the uses of tools that follow it.
std::string TurnText(const Json& turn, const Json& calls) {
  const int64_t number = NumberMember(turn, "ordinal");
  std::string text = "## " + std::to_string(number) + " " + JsonText(turn, "role");
  const std::string at = JsonText(turn, "at");
  if (!at.empty()) text += " " + at;
  text += "\n\n" + JsonText(turn, "text") + "\n";
  bool first = true;
  for (const Json& call : calls) {
    if (NumberMember(call, "turn") != number) continue;
    text += std::exchange(first, false) ? "\n[tool] " : "[tool] ";
    text += JsonText(call, "tool");
    if (const std::string path = JsonText(call, "path"); !path.empty()) text += " " + path;
    const std::string command = JsonText(call, "command");
    if (!command.empty()) text += " $ " + command;
    text += "\n";
  }
  return text;
}

}  // namespace

bool AsksForTurns(const CallOfTool& call) {
  return call.arguments.Text("turns").has_value() || call.arguments.Text("role").has_value();
}

ToolResult AnswerWithTurns(const CallOfTool& call, CommandRunner& runner) {
  std::vector<std::string> args = {"--json", "--full"};
  for (const char* name : {"turns", "role", "snapshot"}) {
    if (const auto value = call.arguments.Text(name)) {
      args.push_back("--" + std::string(name) + "=" + *value);
    }
  }
  args.push_back("--");
  for (std::string& target : call.arguments.Texts("target")) args.push_back(std::move(target));
  const CommandOutput output = runner.Run("get", std::move(args));
  if (!output.ok()) return tl::unexpected(FaultOf(output));
  const Json answer = Json::parse(output.text, nullptr, /*allow_exceptions=*/false);
  const Json& found = JsonMember(answer, "get");
  const Json& turns = JsonMember(found, "turns");
  if (!turns.is_array()) {
    return tl::unexpected(
        ToolFault{"invalid_argument", "turns are read of one session", "name one target"});
  }
  const int64_t room = call.budget_tokens - kTurnTotalsTokens;
  std::string text = "[" + JsonText(JsonMember(found, "doc"), "path") + "]\n";
  if (room <= EstimateTokens(text)) {
    return tl::unexpected(ToolFault{"limit_exceeded", "the budget has no room for a turn",
                                    "budget_tokens of 500 or more"});
  }
  int64_t rest = room - EstimateTokens(text);
  Json totals = {{"total_turns", JsonMember(found, "total_turns")},
                 {"offset", JsonMember(found, "offset")}};
  size_t shown = 0;
  for (const Json& turn : turns) {
    std::string next = (shown > 0 ? "\n" : "") + TurnText(turn, JsonMember(found, "tool_calls"));
    if (!MayFit(next, rest) || EstimateTokens(next) > rest) {
      if (shown > 0) break;
      next.resize(PrefixThatFits(next, rest));
      totals["cut"] = true;
    }
    rest -= EstimateTokens(next);
    text += next;
    ++shown;
  }
  const bool left_out = shown < turns.size();
  if (left_out) totals["truncated"] = true;
  if (left_out || JsonMember(found, "has_more") == Json(true)) {
    const int64_t next = NumberMember(found, "offset") + static_cast<int64_t>(shown);
    totals["next_turns"] =
        std::to_string(next) + ":" + std::to_string(NumberMember(found, "limit"));
  }
  ToolAnswer result;
  if (call.structured) {
    result.structured = {{"text", text}};
    result.structured.update(totals);
    result.text = PrintJson(result.structured);
    return result;
  }
  if (!text.ends_with('\n')) text += '\n';
  result.text = text + PrintJson(totals);
  return result;
}

}  // namespace recall
