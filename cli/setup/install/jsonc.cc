// Parses JSON with comments, trailing commas and a byte order mark, as editors and assistants read
// their settings.
//
// The problem: an edit must leave every byte but its own, so a tree of values is not enough; each
// value must know where it stands in the text.
//
// The idea: a recursive-descent parser that keeps the positions of values and names. What lies
// between them is found again from these positions when it is needed (SkipJsoncBlanks).
//
// Invariants: positions ascend and lie within the text; nesting is limited, so no text can exhaust
// the stack; any bytes are either parsed, or refused with the position of the first fault.
//
// Cost: one pass over the text; a tree of its values.

#include "cli/setup/install/jsonc.h"

#include <algorithm>
#include <span>

#include "cli/setup/install/entry_text.h"
#include "storage/base/json_scanner.h"
#include "storage/base/json_writer.h"

namespace recall {
namespace {

constexpr std::string_view kJsoncByteOrderMark = "\xEF\xBB\xBF";

bool IsJsoncBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool IsJsonDigit(char c) { return c >= '0' && c <= '9'; }

class JsoncParser final {
 public:
  explicit JsoncParser(std::string_view text) : text_(text) {
    if (text_.starts_with(kJsoncByteOrderMark)) at_ = kJsoncByteOrderMark.size();
  }

  Result<std::optional<JsoncValue>> Parse() {
    RECALL_TRY(SkipBlanks());
    if (AtEnd()) return std::optional<JsoncValue>();
    std::optional<JsoncValue> root(std::in_place);
    RECALL_TRY(ReadValue(&*root));
    RECALL_TRY(SkipBlanks());
    if (!AtEnd()) return Fail(Fault("there is text after the end of the value"));
    return root;
  }

 private:
  bool AtEnd() const { return at_ >= text_.size(); }
  char Now() const { return AtEnd() ? '\0' : text_[at_]; }
  bool Take(char c) {
    if (AtEnd() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Status Fault(std::string_view what) const {
    return Status::InvalidArgument(std::string(what)).WithPosition(PositionAt(text_, at_));
  }

  // Also notes whether the last thing that was skipped, apart from white space, is a line comment.
  Status SkipBlanks() {
    line_comment_ = false;
    while (!AtEnd()) {
      if (IsJsoncBlank(Now())) {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        line_comment_ = true;
        at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        line_comment_ = false;
        const size_t end = text_.find("*/", at_ + 2);
        if (end == text_.npos) return Fault("the comment does not end");
        at_ = end + 2;
      } else {
        break;
      }
    }
    return {};
  }

  // Requires: blanks are skipped.
  Status ReadValue(JsoncValue* value) {
    value->begin = at_;
    const char c = Now();
    if (c == '{' || c == '[') {
      RECALL_TRY(ReadMembers(c == '{', value));
    } else if (c == '"') {
      value->kind = JsoncValue::Kind::kString;
      RECALL_TRY(ReadString(&value->text));
    } else if (c == '-' || IsJsonDigit(c)) {
      value->kind = JsoncValue::Kind::kNumber;
      RECALL_TRY(SkipNumber());
      value->text = text_.substr(value->begin, at_ - value->begin);
    } else {
      RECALL_TRY(ReadWord(&value->text));
    }
    value->end = at_;
    return {};
  }

  Status ReadMembers(bool object, JsoncValue* value) {
    if (++depth_ > kMaxJsoncNesting) return Fault("it is nested too deep");
    value->kind = object ? JsoncValue::Kind::kObject : JsoncValue::Kind::kArray;
    const char close = object ? '}' : ']';
    ++at_;
    RECALL_TRY(SkipBlanks());
    while (!Take(close)) {
      if (!value->members.empty() && !value->trailing_comma) {
        return Fault(object ? "a comma or '}' is missing" : "a comma or ']' is missing");
      }
      RECALL_TRY(ReadMember(object, &value->members.emplace_back()));
      RECALL_TRY(SkipBlanks());
      value->trailing_comma = Take(',');
      if (value->trailing_comma) RECALL_TRY(SkipBlanks());
    }
    value->ends_in_line_comment = line_comment_;
    --depth_;
    return {};
  }

  Status ReadMember(bool object, JsoncMember* member) {
    member->key_begin = member->key_end = at_;
    if (object) {
      if (Now() != '"') return Fault("a name in double quotes is missing");
      RECALL_TRY(ReadString(&member->name));
      member->key_end = at_;
      RECALL_TRY(SkipBlanks());
      if (!Take(':')) return Fault("':' is missing");
      RECALL_TRY(SkipBlanks());
    }
    return ReadValue(&member->value);
  }

  Status ReadString(std::string* to) {
    ++at_;
    for (;;) {
      if (AtEnd()) return Fault("the string does not end");
      const char c = text_[at_];
      if (static_cast<unsigned char>(c) < 0x20) {
        return Fault("a string contains a control character or does not end on its line");
      }
      if (Take('"')) return {};
      if (c == '\\') {
        RECALL_TRY(ReadEscape(to));
      } else {
        to->push_back(c);
        ++at_;
      }
    }
  }

  Status ReadEscape(std::string* to) {
    const auto escape = ReadJsonEscape(text_, at_);
    if (!escape) return Fault("unknown escape in a string");
    AppendUtf8(IsSurrogate(escape->code_point) ? 0xFFFD : escape->code_point, to);
    at_ += escape->bytes;
    return {};
  }

  Status SkipDigits() {
    if (!IsJsonDigit(Now())) return Fault("a digit is missing");
    while (IsJsonDigit(Now())) ++at_;
    return {};
  }

  Status SkipNumber() {
    Take('-');
    if (!Take('0')) RECALL_TRY(SkipDigits());
    if (Take('.')) RECALL_TRY(SkipDigits());
    if (Take('e') || Take('E')) {
      if (!Take('+')) Take('-');
      RECALL_TRY(SkipDigits());
    }
    return {};
  }

  Status ReadWord(std::string* word) {
    for (const std::string_view known : {"true", "false", "null"}) {
      if (!text_.substr(at_).starts_with(known)) continue;
      *word = known;
      at_ += known.size();
      return {};
    }
    return Fault(AtEnd() ? "the text ends too early" : "a value is missing");
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t depth_ = 0;
  bool line_comment_ = false;
};

void WriteCanonical(const JsoncValue& value, std::span<const std::string> without,
                    JsonWriter& json);

// Whether an object or array on a path holds nothing but what is to be left out.
bool HoldsOnly(const JsoncValue& value, std::span<const std::string> without) {
  if (without[0] == kHookStep) {
    return value.kind == JsoncValue::Kind::kArray &&
           std::ranges::all_of(value.members, [](const JsoncMember& item) {
             return OwnerOfHook(item.value) == HookOwner::kOurs;
           });
  }
  return value.kind == JsoncValue::Kind::kObject &&
         std::ranges::all_of(value.members, [&](const JsoncMember& member) {
           return member.name == without[0] &&
                  (without.size() == 1 || HoldsOnly(member.value, without.subspan(1)));
         });
}

// Whether a member of an object is to be left out: the end of the path, or something that holds
// nothing else.
bool IsLeftOut(const JsoncMember& member, std::span<const std::string> without) {
  if (without.empty() || member.name != without[0]) return false;
  return without.size() == 1 || HoldsOnly(member.value, without.subspan(1));
}

void WriteObject(const JsoncValue& value, std::span<const std::string> without, JsonWriter& json) {
  std::vector<const JsoncMember*> members;
  for (const JsoncMember& member : value.members) members.push_back(&member);
  std::ranges::stable_sort(members, {}, &JsoncMember::name);
  json.BeginObject();
  for (const JsoncMember* member : members) {
    if (IsLeftOut(*member, without)) continue;
    json.Key(member->name);
    const bool on_path = !without.empty() && member->name == without[0];
    WriteCanonical(member->value, on_path ? without.subspan(1) : std::span<const std::string>(),
                   json);
  }
  json.EndObject();
}

void WriteCanonical(const JsoncValue& value, std::span<const std::string> without,
                    JsonWriter& json) {
  switch (value.kind) {
    case JsoncValue::Kind::kObject:
      return WriteObject(value, without, json);
    case JsoncValue::Kind::kArray:
      json.BeginArray();
      for (const JsoncMember& item : value.members) {
        const bool on_path = !without.empty() && without[0] == kHookStep;
        if (on_path && OwnerOfHook(item.value) == HookOwner::kOurs) continue;
        WriteCanonical(item.value, {}, json);
      }
      return json.EndArray();
    case JsoncValue::Kind::kString:
      return json.String(value.text);
    case JsoncValue::Kind::kNumber:
      // As it is written: programs differ in what they make of large numbers.
      return json.String("number " + value.text);
    case JsoncValue::Kind::kWord:
      return value.text == "null" ? json.Null() : json.Bool(value.text == "true");
  }
}

// Whether a command of a shell starts `recall hook`: "/usr/bin/recall hook SessionEnd --store x".
bool CallsRecallHook(std::string_view command) {
  const bool quoted = command.starts_with('\'');
  const size_t end = command.find(quoted ? "' hook" : " hook", quoted ? 1 : 0);
  if (end == command.npos) return false;
  std::string_view program = command.substr(quoted ? 1 : 0, end - (quoted ? 1 : 0));
  const size_t slash = program.rfind('/');
  if (slash != program.npos) program.remove_prefix(slash + 1);
  const std::string_view rest = command.substr(end + (quoted ? 6 : 5));
  return program == "recall" && (rest.empty() || rest.front() == ' ');
}

}  // namespace

HookOwner OwnerOfHook(const JsoncValue& item) {
  const auto calls_recall = [](const JsoncValue& value) {
    const JsoncMember* const command = value.Find("command");
    return command != nullptr && CallsRecallHook(command->value.text);
  };
  const JsoncMember* const hooks = item.Find("hooks");
  if (hooks == nullptr) return calls_recall(item) ? HookOwner::kOurs : HookOwner::kOther;
  const auto is_ours = [&](const JsoncMember& hook) { return calls_recall(hook.value); };
  const auto ours = std::ranges::count_if(hooks->value.members, is_ours);
  if (ours == 0) return HookOwner::kOther;
  return ours == std::ssize(hooks->value.members) ? HookOwner::kOurs : HookOwner::kBoth;
}

const JsoncMember* JsoncValue::Find(std::string_view name) const {
  if (kind != Kind::kObject) return nullptr;
  const auto found = std::find_if(members.rbegin(), members.rend(),
                                  [&](const JsoncMember& m) { return m.name == name; });
  return found == members.rend() ? nullptr : &*found;
}

Result<std::optional<JsoncValue>> ParseJsonc(std::string_view text) {
  return JsoncParser(text).Parse();
}

size_t SkipJsoncBlanks(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (IsJsoncBlank(text[at])) {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find_first_of("\r\n", at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    } else {
      break;
    }
  }
  return at;
}

std::string CanonicalJson(const JsoncValue& value, const std::vector<std::string>& without) {
  std::string text;
  JsonWriter json(&text);
  WriteCanonical(value, without, json);
  return text;
}

}  // namespace recall
