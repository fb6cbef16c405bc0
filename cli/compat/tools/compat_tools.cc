#include "cli/compat/tools/compat_tools.h"

#include <algorithm>
#include <array>

#include "cli/server/tools/answer_budget.h"
#include "cli/server/tools/tool_answers.h"
#include "cli/show/output/card_text.h"
#include "index/subword/token_estimate.h"

namespace recall {
namespace {

bool HasType(const Json& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  return value.is_number();
}

// As SchemaFault, for the range of a number and for the names that a text may have.
std::string RangeFault(const Json& schema, const Json& value, const std::string& name) {
  const Json& names = JsonMember(schema, "enum");
  if (names.is_array() && std::ranges::find(names, value) == names.end()) {
    return name + " must be one of " + PrintJson(names);
  }
  const Json& least = JsonMember(schema, "minimum");
  const Json& most = JsonMember(schema, "maximum");
  const bool outside = value.is_number() &&
                       ((least.is_number() && value < least) || (most.is_number() && value > most));
  if (!outside) return "";
  const std::string bound = most.is_number() ? " to " + PrintJson(most) : " on";
  return name + " must be a number from " + PrintJson(least) + bound;
}

size_t BytesOf(const Json& value) { return PrintJson(value).size(); }

// Shortens the largest part of a value that can be shortened, to a share of `kept` / `size`.
// Returns: false if there is none.
bool Shrink(Json& value, int64_t kept, int64_t size) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.empty()) return false;
    const int64_t tokens = EstimateTokens(text) * kept / size;
    value = tokens <= 1 ? "" : text.substr(0, PrefixThatFits(text, tokens)) + "…";
    return true;
  }
  if (!value.is_structured() || value.empty()) return false;
  if (value.is_array() && value.size() > 1) {
    const auto share = static_cast<size_t>(static_cast<int64_t>(value.size()) * kept / size);
    const size_t count = std::min(share, value.size() - 1);
    value.erase(value.begin() + static_cast<ptrdiff_t>(count), value.end());
    return true;
  }
  std::vector<Json::iterator> parts;
  for (auto part = value.begin(); part != value.end(); ++part) parts.push_back(part);
  std::ranges::stable_sort(parts, std::ranges::greater(),
                           [](const auto& part) { return BytesOf(*part); });
  for (const auto& part : parts) {
    if (Shrink(*part, kept, size)) return true;
  }
  value.erase(parts.front());
  return true;
}

constexpr ToolSet kToolSets[] = {
    {"bastra", BastraTools}, {"rekall", RekallTools}, {"memory", MemoryTools}};

}  // namespace

std::span<const ToolSet> ToolSets() { return kToolSets; }

const ToolSet* FindToolSet(std::string_view name) {
  const auto* const found = std::ranges::find(kToolSets, name, &ToolSet::name);
  return found == std::end(kToolSets) ? nullptr : found;
}

std::string SchemaFault(const Json& schema, const Json& value, const std::string& name) {
  const std::string type = JsonText(schema, "type");
  if (!HasType(value, type)) {
    const bool vowel = type.starts_with("a") || type.starts_with("i") || type.starts_with("o");
    return (name.empty() ? "arguments" : name) + " must be " + (vowel ? "an " : "a ") + type;
  }
  if (value.is_array()) {
    for (size_t i = 0; i < value.size(); ++i) {
      std::string fault =
          SchemaFault(JsonMember(schema, "items"), value[i], name + "[" + std::to_string(i) + "]");
      if (!fault.empty()) return fault;
    }
    return "";
  }
  if (!value.is_object()) return RangeFault(schema, value, name);
  const std::string before = name.empty() ? "" : name + ".";
  for (const Json& required : JsonMember(schema, "required")) {
    if (JsonMember(value, required.get<std::string>()).is_null()) {
      return before + required.get<std::string>() + " is missing";
    }
  }
  for (const auto& [key, part] : JsonMember(schema, "properties").items()) {
    const Json& member = JsonMember(value, key);
    if (member.is_null()) continue;
    std::string fault = SchemaFault(part, member, before + key);
    if (!fault.empty()) return fault;
  }
  return "";
}

std::string TextOfAnswer(const Json& answer, std::string_view shown) {
  const Json& text = shown.empty() ? answer : JsonMember(answer, shown);
  return text.is_string() ? text.get<std::string>() : PrintJson(text);
}

void FitAnswer(Json& answer, std::string_view shown, int64_t budget) {
  Json& text = shown.empty() ? answer : answer[std::string(shown)];
  for (;;) {
    const int64_t tokens = EstimateTokens(TextOfAnswer(answer, shown));
    if (tokens <= budget) return;
    // The member `truncated` is last, and is never shortened.
    if (shown.empty()) answer.erase("truncated");
    const bool shorter = Shrink(text, budget, tokens + budget / 8 + 1);
    if (shown.empty()) answer["truncated"] = true;
    if (!shorter) return;
  }
}

std::vector<Json> ParseLines(std::string_view text) {
  std::vector<Json> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(Json::parse(text.substr(0, end), nullptr, false));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

CompatResult RunCommand(CommandRunner& runner, std::string_view command,
                        std::vector<std::string> args) {
  const CommandOutput output = runner.Run(command, std::move(args));
  if (!output.ok()) return tl::unexpected(FaultOf(output));
  Json answer = Json::parse(output.text, nullptr, false);
  if (!answer.is_discarded()) return answer;
  return tl::unexpected(ToolFault{"internal", "the answer of a command is no JSON", ""});
}

void AddFlag(const Json& arguments, std::string_view name, std::string_view flag,
             std::vector<std::string>* args) {
  const Json& value = JsonMember(arguments, name);
  const auto add = [&](const Json& one) {
    const std::string text = one.is_string() ? one.get<std::string>() : PrintJson(one);
    if (!text.empty()) args->push_back(std::string(flag) + "=" + text);
  };
  if (value.is_null()) return;
  if (!value.is_array()) return add(value);
  for (const Json& one : value) add(one);
}

std::vector<std::string> TextsIn(const Json& arguments, std::string_view name) {
  std::vector<std::string> texts;
  for (const Json& text : JsonMember(arguments, name)) texts.push_back(text.get<std::string>());
  return texts;
}

tl::expected<ReadNote, ToolFault> ReadWholeNote(const CompatCall& call, const std::string& id) {
  std::vector<std::string> args = {"--json", "--", id};
  if (call.may_write) args.insert(args.begin(), "--use");
  const CompatResult answer = RunCommand(call.runner, "get", std::move(args));
  if (!answer) return tl::unexpected(answer.error());
  const Json& get = JsonMember(*answer, "get");
  const Json& doc = JsonMember(get, "doc");
  ReadNote note{JsonText(doc, "path"), JsonMember(doc, "meta"),
                JsonText(JsonMember(get, "chunk"), "text")};
  if (!note.card.is_object()) note.card = Json::object();
  note.body.erase(0, CardLength(note.body));
  note.body.erase(0, std::min(note.body.find_first_not_of('\n'), note.body.size()));
  return note;
}

}  // namespace recall
