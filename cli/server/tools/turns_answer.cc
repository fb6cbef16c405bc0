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

// The arguments of `get` for this call.
std::vector<std::string> ArgsOf(const CallOfTool& call) {
  std::vector<std::string> args = {"--json", "--full"};
  for (const char* name : {"turns", "role", "snapshot"}) {
    if (const auto value = call.arguments.Text(name)) {
      args.push_back("--" + std::string(name) + "=" + *value);
    }
  }
  args.push_back("--");
  for (std::string& target : call.arguments.Texts("target")) args.push_back(std::move(target));
  return args;
}

// The turns that fit a budget.
struct FittedTurns {
  std::string text;
  size_t shown = 0;
  bool cut = false;  // the only turn is shown in part
};

// Takes turns of `found`, the answer of `get`, as long as they fit `rest` tokens. The first one is
// taken in any case, and cut if it does not fit.
FittedTurns FitTurns(const Json& found, int64_t rest) {
  FittedTurns fitted;
  for (const Json& turn : JsonMember(found, "turns")) {
    std::string next =
        (fitted.shown > 0 ? "\n" : "") + TurnText(turn, JsonMember(found, "tool_calls"));
    if (!MayFit(next, rest) || EstimateTokens(next) > rest) {
      if (fitted.shown > 0) break;
      next.resize(PrefixThatFits(next, rest));
      fitted.cut = true;
    }
    rest -= EstimateTokens(next);
    fitted.text += next;
    ++fitted.shown;
  }
  return fitted;
}

// What is known about the turns as a whole, and where the next ones begin.
Json TotalsOf(const Json& found, const FittedTurns& fitted) {
  Json totals = {{"total_turns", JsonMember(found, "total_turns")},
                 {"offset", JsonMember(found, "offset")}};
  if (fitted.cut) totals["cut"] = true;
  const bool left_out = fitted.shown < JsonMember(found, "turns").size();
  if (left_out) totals["truncated"] = true;
  if (left_out || JsonMember(found, "has_more") == Json(true)) {
    const int64_t next = NumberMember(found, "offset") + static_cast<int64_t>(fitted.shown);
    totals["next_turns"] =
        std::to_string(next) + ":" + std::to_string(NumberMember(found, "limit"));
  }
  return totals;
}

}  // namespace

bool AsksForTurns(const CallOfTool& call) {
  return call.arguments.Text("turns").has_value() || call.arguments.Text("role").has_value();
}

ToolResult AnswerWithTurns(const CallOfTool& call, CommandRunner& runner) {
  const CommandOutput output = runner.Run("get", ArgsOf(call));
  if (!output.ok()) return tl::unexpected(FaultOf(output));
  const Json answer = Json::parse(output.text, nullptr, /*allow_exceptions=*/false);
  const Json& found = JsonMember(answer, "get");
  if (!JsonMember(found, "turns").is_array()) {
    return tl::unexpected(
        ToolFault{"invalid_argument", "turns are read of one session", "name one target"});
  }
  const int64_t room = call.budget_tokens - kTurnTotalsTokens;
  std::string text = "[" + JsonText(JsonMember(found, "doc"), "path") + "]\n";
  if (room <= EstimateTokens(text)) {
    return tl::unexpected(ToolFault{"limit_exceeded", "the budget has no room for a turn",
                                    "budget_tokens of 500 or more"});
  }
  const FittedTurns fitted = FitTurns(found, room - EstimateTokens(text));
  text += fitted.text;
  const Json totals = TotalsOf(found, fitted);
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
