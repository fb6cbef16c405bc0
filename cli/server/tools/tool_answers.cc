// The answers of tools, cut to their budgets.
//
// The problem: an answer must never exceed its budget, must not lose anything, and the model must
// be able to ask for the rest while others write to the store.
//
// The idea: results are lines or texts with a place. What does not fit is cut off at the end, and
// the place where the rest begins is the cursor: for ranked lines the number of results before it
// and the commit, for texts the exact citations of what is left, which keep their text by
// themselves.
//
// Invariant: each part makes progress: at least one result, shortened if necessary, or one
// character of a text.

#include "cli/server/tools/tool_answers.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "cli/server/tools/answer_budget.h"
#include "cli/server/tools/answer_text.h"
#include "cli/server/tools/shortened_json.h"
#include "index/subword/token_estimate.h"
#include "query/ask/answer/targets.h"
#include "query/ask/passages/passage_fence.h"

namespace recall {
namespace {

// Of a packed context, what its line of totals costs at most without warnings.
constexpr int64_t kTotalsTokens = 70;

// ---- Texts --------------------------------------------------------------------------------------

struct TextItem {
  std::string target;    // as requested
  std::string citation;  // "path@hash:9-17"
  std::string path;
  std::string hash;
  uint64_t first_line = 0;
  std::string text;
  std::string source_state;  // "changed", "deleted"; "" if its source is as it was added
  Json error = nullptr;
};

// " (changed since)" behind the citation.
std::string MarkOf(const TextItem& item) {
  if (item.source_state.empty()) return {};
  return item.source_state == "changed" ? " (changed since)" : " (" + item.source_state + ")";
}

TextItem ReadItem(const Json& line, const std::string& target) {
  TextItem item;
  item.target = target;
  item.error = JsonMember(line, "error");
  if (line.contains("doc")) {
    // A lean payload: what is left of the card, then the text. A part of a document has lines.
    const Json& doc = line["doc"];
    const Json& first = JsonMember(line, "start_line");
    const Json& card = JsonMember(doc, "meta");
    item.path = JsonText(doc, "path");
    item.source_state = JsonText(doc, "source_state");
    item.citation = JsonText(line, "cite");
    item.text = JsonText(line, "text");
    if (first.is_number_unsigned()) {
      item.first_line = first.get<uint64_t>();
    } else if (!card.is_null()) {
      item.text = PrintJson(card) + "\n" + item.text;
    }
    return item;
  }
  item.path = JsonText(line, "path");
  item.source_state = JsonText(line, "source_state");
  item.hash = JsonText(line, "hash");
  item.text = JsonText(line, "text");
  const std::string lines = JsonText(line, "lines");
  std::from_chars(lines.data(), lines.data() + lines.size(), item.first_line);
  if (!item.hash.empty()) {
    item.citation = item.path + "@" + item.hash + (lines.empty() ? "" : ":" + lines);
  }
  return item;
}

// The target that gives the same text again, whatever happens to the document: for an id itself,
// because a chunk may begin within a line.
std::string FixedTarget(const TextItem& item) {
  if (IdDigits(item.target) || item.citation.empty()) return item.target;
  return item.citation;
}

// The lines of a part of a text: "17-40".
std::string LinesOf(const TextItem& item, size_t begin, size_t end) {
  const auto newlines = [&](size_t from, size_t to) {
    return static_cast<uint64_t>(std::count(item.text.begin() + static_cast<ptrdiff_t>(from),
                                            item.text.begin() + static_cast<ptrdiff_t>(to), '\n'));
  };
  const uint64_t first = item.first_line + newlines(0, begin);
  uint64_t last = first + newlines(begin, end);
  if (end > begin && item.text[end - 1] == '\n') --last;
  return std::to_string(first) + "-" + std::to_string(last);
}

std::string FaultText(const Json& error) {
  std::string text = JsonText(error, "code") + ": " + JsonText(error, "message");
  const std::string hint = JsonText(error, "hint");
  return hint.empty() ? text : text + "\nhint: " + hint;
}

// Builds the answer of `get` item by item.
class TextAnswer final {
 public:
  TextAnswer(const CallOfTool& call, const std::vector<TextItem>& items) : call_(call) {
    PassageFence fence;
    for (const TextItem& item : items) fence.Cover(item.text);
    fence_ = fence.Opening();
  }

  // Adds as much of an item as fits, from byte `begin` of its text. Returns: the byte at which the
  // rest begins; npos if all of it fits.
  size_t Add(const TextItem& item, size_t begin, const std::string& last) {
    const std::string head = HeadOf(item, begin);
    const std::string separator = answer_.text.empty() ? "" : "\n";
    if (!item.error.is_null()) {
      const std::string fault = answer_.text + separator + head;
      if (EstimateTokens(fault + last) > call_.budget_tokens) return begin;
      Append(item, fault, begin, begin);
      return std::string::npos;
    }
    const std::string before = answer_.text + separator + head + fence_;
    const std::string_view rest = std::string_view(item.text).substr(begin);
    if (MayFit(rest, call_.budget_tokens)) {
      std::string whole = WithNewline(before + std::string(rest)) + fence_;
      if (EstimateTokens(whole) <= call_.budget_tokens) {
        Append(item, std::move(whole), begin, item.text.size());
        return std::string::npos;
      }
    }
    int64_t room = call_.budget_tokens - EstimateTokens(before + "\n" + fence_ + last);
    // The estimate of parts may be less than that of the whole.
    for (; room > 0; room -= std::max<int64_t>(room / 16, 1)) {
      const size_t length = PrefixThatFits(rest, room);
      if (length == 0) return begin;
      const std::string text = WithNewline(before + std::string(rest.substr(0, length))) + fence_;
      if (EstimateTokens(text + last) > call_.budget_tokens) continue;
      Append(item, text, begin, begin + length);
      return begin + length;
    }
    return begin;
  }

  ToolAnswer Finish(const Json& totals) && {
    if (call_.structured) {
      answer_.structured["results"] = std::move(results_);
      answer_.structured.update(totals);
      answer_.text = PrintJson(answer_.structured);
    } else if (!totals.empty()) {
      answer_.text += PrintJson(totals);
    }
    return std::move(answer_);
  }
  bool empty() const { return results_.empty(); }

 private:
  static std::string WithNewline(std::string text) {
    if (!text.ends_with('\n')) text += '\n';
    return text;
  }

  static std::string HeadOf(const TextItem& item, size_t begin) {
    if (!item.error.is_null()) return "[" + item.target + "]\n" + FaultText(item.error) + "\n";
    if (begin == 0) return "[" + item.citation + "]" + MarkOf(item) + "\n";
    return "[" + item.citation + ", continued]" + MarkOf(item) + "\n";
  }

  void Append(const TextItem& item, std::string text, size_t begin, size_t end) {
    answer_.text = std::move(text);
    Json result;
    if (!item.error.is_null()) {
      result = {{"target", item.target}, {"error", item.error}};
    } else {
      result = {{"path", item.path}};
      if (item.first_line > 0 || !item.hash.empty()) result["lines"] = LinesOf(item, begin, end);
      if (!item.hash.empty()) result["hash"] = item.hash;
      result["cite"] = item.citation;
      if (!item.source_state.empty()) result["source_state"] = item.source_state;
      result["text"] = item.text.substr(begin, end - begin);
    }
    results_.push_back(std::move(result));
  }

  const CallOfTool& call_;
  std::string fence_;  // a line, or ""
  ToolAnswer answer_;
  Json results_ = Json::array();
};

std::vector<std::string> TargetsOf(const CallOfTool& call) {
  if (!call.cursor.targets.empty()) return call.cursor.targets;
  std::vector<std::string> targets = call.arguments.Texts("target");
  if (const auto lines = call.arguments.Text("lines"); lines && !lines->empty()) {
    for (std::string& target : targets) target += ":" + *lines;
  }
  return targets;
}

// The command line of `get` for these targets.
std::vector<std::string> TextArgs(const CallOfTool& call, const std::vector<std::string>& targets) {
  // The full payload is every byte, as without one.
  const std::string payload = call.arguments.Text("payload").value_or("full");
  std::vector<std::string> args = {"--lean"};
  if (payload == "full") {
    args.push_back("--fields=path,lines,hash,text");
  } else {
    args.insert(args.end(), {"--cite", "--payload=" + payload});
  }
  for (std::string& flag : call.arguments.Flags()) args.push_back(std::move(flag));
  args.push_back("--");
  args.insert(args.end(), targets.begin(), targets.end());
  return args;
}

}  // namespace

ToolFault FaultOf(const CommandOutput& output) {
  const size_t line = std::min(output.text.find('\n'), output.text.size());
  Json answer = Json::parse(output.text, nullptr, false);
  if (answer.is_discarded()) answer = ParsedLine(output.text.substr(0, line));
  const Json& error = JsonMember(answer, "error");
  ToolFault fault{JsonText(error, "code"), JsonText(error, "message"), JsonText(error, "hint")};
  const std::string excerpt = JsonText(JsonMember(error, "details"), "excerpt");
  if (!excerpt.empty()) fault.message += "\n" + excerpt;
  if (fault.code == "store_not_found") {
    fault.hint =
        "in the directory of the documents: recall init && recall add; or start the "
        "server with --auto, which does both";
  }
  return fault;
}

ToolResult AnswerWithContext(const CallOfTool& call, CommandRunner& runner) {
  const int64_t room = call.budget_tokens - kTotalsTokens;
  if (room < 1) return tl::unexpected(BudgetTooSmall(call.budget_tokens));
  std::vector<std::string> args = {"--json", "--cite", "--budget-tokens=" + std::to_string(room)};
  for (std::string& flag : call.arguments.Flags()) args.push_back(std::move(flag));
  args.push_back("--");
  for (std::string& word : call.arguments.Texts(call.tool.words)) args.push_back(std::move(word));
  const CommandOutput output = runner.Run(call.tool.name, std::move(args));
  if (!output.ok()) return tl::unexpected(FaultOf(output));

  const Json answer = ParsedLine(output.text);
  const Json& context = JsonMember(answer, "context");
  Json totals = {{"used_tokens", JsonMember(context, "used_tokens")},
                 {"token_counter", JsonMember(context, "token_counter")},
                 {"total", JsonMember(JsonMember(answer, "stats"), "total_hits")},
                 {"snapshot", JsonMember(JsonMember(answer, "stats"), "snapshot")}};
  ToolAnswer result;
  const std::string text = JsonText(context, "text");
  const int64_t rest = call.budget_tokens - EstimateTokens(text + "\n");
  if (answer.contains("related")) {
    totals["related"] = LeanNeighbours(answer["related"]);
    ShortenRelated(totals, rest);
  }
  if (answer.contains("warnings")) {
    totals["warnings"] = answer["warnings"];
    ShortenWarnings(totals, rest);
  }
  if (call.structured) {
    result.structured = {{"text", text}};
    result.structured.update(totals);
    result.text = PrintJson(result.structured);
    return result;
  }
  result.text = text;
  if (!text.empty() && !text.ends_with('\n')) result.text += '\n';
  result.text += PrintJson(totals);
  return result;
}

ToolResult AnswerWithTexts(const CallOfTool& call, CommandRunner& runner) {
  const std::vector<std::string> targets = TargetsOf(call);
  const CommandOutput output = runner.Run(call.tool.name, TextArgs(call, targets));
  std::vector<std::string> lines = OutputLines(output.text);
  if (!output.ok() && lines.size() <= targets.size()) return tl::unexpected(FaultOf(output));

  Json totals = lines.size() > targets.size() ? ParsedLine(lines.back()) : Json::object();
  totals.erase("total");
  std::vector<TextItem> items;
  for (size_t i = 0; i < targets.size() && i < lines.size(); ++i) {
    items.push_back(ReadItem(ParsedLine(lines[i]), targets[i]));
  }
  const auto totals_from = [&](size_t item, size_t begin) {
    Json cut = totals;
    Cursor cursor{call.arguments.Fingerprint(), begin, {}, {}};
    for (size_t i = item; i < items.size(); ++i) cursor.targets.push_back(FixedTarget(items[i]));
    cut["truncated"] = true;
    cut["cursor"] = EncodeCursor(cursor);
    return cut;
  };
  TextAnswer answer(call, items);
  size_t begin = call.cursor.targets.empty() ? 0 : call.cursor.offset;
  for (size_t i = 0; i < items.size(); ++i) {
    begin = std::min(begin, items[i].text.size());
    // Only the last line of the answer has totals, unless it is cut here.
    const std::string last = PrintJson(totals_from(i, items[i].text.size()));
    const size_t rest = answer.Add(items[i], begin, last);
    if (rest == std::string::npos) {
      begin = 0;
      continue;
    }
    if (rest == begin && answer.empty()) return tl::unexpected(BudgetTooSmall(call.budget_tokens));
    return std::move(answer).Finish(totals_from(i, rest));
  }
  return std::move(answer).Finish(totals);
}

ToolResult AnswerWithObject(const CallOfTool& call, CommandRunner& runner) {
  std::vector<std::string> args = {"--json"};
  for (std::string& flag : call.arguments.Flags()) args.push_back(std::move(flag));
  std::vector<std::string> words = call.arguments.Texts(call.tool.words);
  if (call.tool.name == "review" && words.empty()) args.push_back("--list");
  args.push_back("--");
  for (std::string& word : words) args.push_back(std::move(word));
  const std::string_view command = call.tool.command_name();
  const CommandOutput output = runner.Run(command, std::move(args));
  const Json answer = ParsedLine(output.text);
  const Json& object = JsonMember(answer, command);
  if (!output.ok() && object.is_null()) return tl::unexpected(FaultOf(output));
  ToolAnswer result;
  result.structured = object.is_object() ? object : Json::object();
  if (!output.ok()) result.structured["error"] = JsonMember(answer, "error");
  if (answer.contains("warnings")) result.structured["warnings"] = answer["warnings"];
  CountListsToFit(result.structured, call.budget_tokens);
  result.text = PrintJson(result.structured);
  if (!call.structured) result.structured = nullptr;
  return result;
}

}  // namespace recall
