#include "cli/setup/install/json_edit.h"

#include <algorithm>
#include <memory>
#include <span>

#include "cli/setup/install/entry_text.h"
#include "cli/setup/install/jsonc.h"

namespace recall {
namespace {

bool IsJsonBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The position after the last byte before `at` that is not white space.
size_t BeforeBlanks(std::string_view text, size_t at) {
  while (at > 0 && IsJsonBlank(text[at - 1])) --at;
  return at;
}

bool HasNewline(std::string_view text) { return text.find_first_of("\r\n") != text.npos; }

// The white space at the beginning of the line that `at` is in.
std::string IndentationAt(std::string_view text, size_t at) {
  const size_t newline = text.substr(0, at).find_last_of("\r\n");
  const size_t begin = newline == text.npos ? 0 : newline + 1;
  const size_t end = std::min(text.find_first_not_of(" \t", begin), at);
  return std::string(text.substr(begin, end - begin));
}

bool IsFirstOnItsLine(std::string_view text, size_t at) {
  const size_t before = text.substr(0, at).find_last_not_of(" \t");
  return before == text.npos || text[before] == '\n' || text[before] == '\r';
}

// The indentation of one level: that of the first line that is indented and begins with a name.
std::string IndentationUnit(std::string_view text) {
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
    const size_t end = text.find_first_not_of(" \t", at + 1);
    if (end == text.npos) break;
    if (end > at + 1 && text[end] == '"') return std::string(text.substr(at + 1, end - at - 1));
  }
  return "  ";
}

// How the members around the entry are written.
struct JsonStyle {
  std::string newline;
  std::string unit;          // the indentation of one level
  std::string colon = ": ";  // between a name and its value
  bool lines = true;         // one member a line
  std::string indentation;   // of the new member
};

std::string ListText(const std::vector<std::string>& words, const JsonStyle& style) {
  std::string text = "[";
  for (const std::string& word : words) {
    if (text.size() > 1) text += style.colon == ":" ? "," : ", ";
    text += QuotedText(word);
  }
  return text + "]";
}

// An object or array of these members, whose closing bracket is `depth` levels deeper than the new
// member.
std::string BracketText(std::string_view brackets, const std::vector<std::string>& members,
                        size_t depth, const JsonStyle& style) {
  std::string outer = style.newline + style.indentation;
  for (size_t i = 0; i < depth; ++i) outer += style.unit;
  std::string text(1, brackets[0]);
  for (const std::string& member : members) {
    if (text.size() > 1) text += style.lines || style.colon == ":" ? "," : ", ";
    text += style.lines ? outer + style.unit + member : member;
  }
  return text + (style.lines ? outer : "") + brackets[1];
}

std::string EntryValueText(const ServerEntry& entry, size_t depth, const JsonStyle& style);

// `depth`: of the line of the field.
std::string FieldText(const EntryField& field, size_t depth, const JsonStyle& style) {
  std::string text = QuotedText(field.name) + style.colon;
  if (const bool* flag = std::get_if<bool>(&field.value)) return text + (*flag ? "true" : "false");
  if (const auto* number = std::get_if<int64_t>(&field.value)) {
    return text + std::to_string(*number);
  }
  if (const auto* word = std::get_if<std::string>(&field.value)) return text + QuotedText(*word);
  if (const auto* words = std::get_if<std::vector<std::string>>(&field.value)) {
    return text + ListText(*words, style);
  }
  std::vector<std::string> items;
  for (const ServerEntry& item : std::get<std::vector<ServerEntry>>(field.value)) {
    items.push_back(EntryValueText(item, depth + 1, style));
  }
  return text + BracketText("[]", items, depth, style);
}

std::string EntryValueText(const ServerEntry& entry, size_t depth, const JsonStyle& style) {
  std::vector<std::string> members;
  for (const EntryField& field : entry) members.push_back(FieldText(field, depth + 1, style));
  return BracketText("{}", members, depth, style);
}

// The members `names`, each inside the one before, with the entry as the innermost.
std::string NestedMember(std::span<const std::string> names, const ServerEntry& entry, size_t depth,
                         const JsonStyle& style) {
  if (names[0] == kHookStep) return EntryValueText(entry, depth, style);
  const std::string head = QuotedText(names[0]) + style.colon;
  if (names.size() == 1) return head + EntryValueText(entry, depth, style);
  const std::string_view brackets = names[1] == kHookStep ? "[]" : "{}";
  return head + BracketText(brackets, {NestedMember(names.subspan(1), entry, depth + 1, style)},
                            depth, style);
}

// A member and the object that it is in, or an item and its array.
struct JsonPlace {
  const JsoncValue* owner = nullptr;
  size_t index = 0;
  const JsoncMember& member() const { return owner->members[index]; }
};

Status FaultAt(std::string_view text, size_t at, std::string message, std::string hint) {
  return Status::InvalidArgument(std::move(message), std::move(hint))
      .WithPosition(PositionAt(text, at));
}

// The item of an array that calls `recall hook`; null if there is none. Errors: InvalidArgument if
// there are two; Unsupported if the item calls other programs as well.
Result<const JsoncMember*> FindHook(std::string_view text, const JsoncValue& array) {
  const JsoncMember* found = nullptr;
  for (const JsoncMember& item : array.members) {
    const HookOwner owner = OwnerOfHook(item.value);
    if (owner == HookOwner::kOther) continue;
    if (owner == HookOwner::kBoth) {
      return Fail(Status::Unsupported("one hook calls `recall hook` and other programs",
                                      "take `recall hook` out of it by hand, then try again")
                      .WithPosition(PositionAt(text, item.key_begin)));
    }
    if (found != nullptr) {
      return Fail(FaultAt(text, item.key_begin, "there is a second call of `recall hook`",
                          "remove one of them, then try again"));
    }
    found = &item;
  }
  return found;
}

Result<const JsoncMember*> FindMemberOnce(std::string_view text, const JsoncValue& object,
                                          const std::string& name) {
  const JsoncMember* const found = object.Find(name);
  if (found != nullptr && std::ranges::count(object.members, name, &JsoncMember::name) > 1) {
    return Fail(FaultAt(text, found->key_begin, "there is a second " + QuotedText(name),
                        "remove one of them, then try again"));
  }
  return found;
}

// The members of the path that exist, from the root. Errors: InvalidArgument if one of them is no
// object, or array, where the path goes on, or exists twice; those of FindHook.
Result<std::vector<JsonPlace>> FollowPath(std::string_view text, const JsoncValue& root,
                                          const EntryPath& path) {
  std::vector<JsonPlace> places;
  const JsoncValue* owner = &root;
  for (const std::string& name : path) {
    const bool is_item = name == kHookStep;
    if (owner->kind != (is_item ? JsoncValue::Kind::kArray : JsoncValue::Kind::kObject)) {
      const std::string what =
          places.empty() ? "the whole" : QuotedText(places.back().member().name);
      return Fail(FaultAt(text, owner->begin,
                          what + (is_item ? " is no array" : " is not an object"),
                          "correct the file, then try again"));
    }
    RECALL_ASSIGN(const JsoncMember* const found,
                  is_item ? FindHook(text, *owner) : FindMemberOnce(text, *owner, name));
    if (found == nullptr) break;
    places.push_back({owner, static_cast<size_t>(found - owner->members.data())});
    owner = &found->value;
  }
  return places;
}

struct JsoncText {
  std::unique_ptr<const JsoncValue> root;  // null if the text has no value; `places` point into it
  std::vector<JsonPlace> places;
};

Result<JsoncText> Examine(std::string_view text, const EntryPath& path) {
  JsoncText found;
  RECALL_ASSIGN(std::optional<JsoncValue> root, ParseJsonc(text));
  if (!root) return found;
  found.root = std::make_unique<const JsoncValue>(std::move(*root));
  RECALL_ASSIGN(found.places, FollowPath(text, *found.root, path));
  return found;
}

// Checks that the new text holds what the old one does, apart from the entry.
Status CheckJsonEdit(std::string_view before, std::string_view after, const EntryPath& path) {
  const auto rest = [&](std::string_view text) -> Result<std::string> {
    RECALL_ASSIGN(const auto root, ParseJsonc(text));
    return root ? CanonicalJson(*root, path) : "{}";
  };
  const Result<std::string> old_rest = rest(before);
  const Result<std::string> new_rest = rest(after);
  if (old_rest && new_rest && *old_rest == *new_rest) return {};
  return MustBeEditedByHand();
}

JsonStyle StyleAt(std::string_view text) {
  return {.newline = NewlineOf(text), .unit = IndentationUnit(text), .indentation = {}};
}

// The style of a new member after the last one of an object, and what stands before it.
std::string LeadBehind(std::string_view text, const JsoncValue& object, JsonStyle* style) {
  const JsoncMember& last = object.members.back();
  const size_t blanks = BeforeBlanks(text, last.key_begin);
  const std::string_view lead = text.substr(blanks, last.key_begin - blanks);
  if (text.substr(last.key_end, last.value.begin - last.key_end) == ":") style->colon = ":";
  style->lines = HasNewline(lead) || object.ends_in_line_comment;
  if (!style->lines) return style->colon == ":" && lead.empty() ? "" : " ";
  style->indentation = IndentationAt(text, last.key_begin);
  const std::string outer = IndentationAt(text, object.end - 1);
  if (IsFirstOnItsLine(text, object.end - 1) && style->indentation.starts_with(outer) &&
      style->indentation.size() > outer.size()) {
    style->unit = style->indentation.substr(outer.size());
  }
  return style->newline + style->indentation;
}

// Inserts into an object or array that has members already.
SettingsEdit AppendMember(std::string_view text, const JsoncValue& object,
                          std::span<const std::string> names, const ServerEntry& entry) {
  JsonStyle style = StyleAt(text);
  const std::string lead = LeadBehind(text, object, &style);
  SettingsEdit edit;
  edit.added.text = lead + NestedMember(names, entry, 0, style);
  if (object.trailing_comma) edit.added.text += ",";
  edit.added.comma = !object.trailing_comma;
  const size_t comma_at = object.members.back().value.end;
  // Behind the comments that follow the last member, which may belong to it.
  const size_t at = std::max(BeforeBlanks(text, object.end - 1), comma_at);
  edit.text = std::string(text.substr(0, comma_at)) + (edit.added.comma ? "," : "") +
              std::string(text.substr(comma_at, at - comma_at)) + edit.added.text +
              std::string(text.substr(at));
  return edit;
}

// Inserts into an object or array without members. `member`: it and its name; null for the root.
SettingsEdit FillObject(std::string_view text, const JsoncValue& object, const JsoncMember* member,
                        std::span<const std::string> names, const ServerEntry& entry) {
  JsonStyle style = StyleAt(text);
  const size_t at = BeforeBlanks(text, object.end - 1);
  const std::string_view tail = text.substr(at, object.end - 1 - at);
  style.lines = HasNewline(tail) || member == nullptr || IsFirstOnItsLine(text, member->key_begin);
  SettingsEdit edit;
  std::string& added = edit.added.text;
  if (style.lines) {
    std::string outer = IndentationAt(text, object.begin);
    style.indentation = outer + style.unit;
    added = style.newline + style.indentation + NestedMember(names, entry, 0, style);
    if (outer.ends_with(tail)) outer.resize(outer.size() - tail.size());
    if (!HasNewline(tail)) added += style.newline + outer;
  } else {
    const std::string_view colon = text.substr(member->key_end, object.begin - member->key_end);
    if (colon == ":") style.colon = ":";
    const bool padded = !tail.empty() || at > object.begin + 1;
    added = (padded ? " " : "") + NestedMember(names, entry, 0, style);
  }
  edit.text = std::string(text.substr(0, at)) + added + std::string(text.substr(at));
  return edit;
}

// A whole object after what a text without values has: white space, comments or nothing.
SettingsEdit WholeObject(std::string_view text, const EntryPath& path, const ServerEntry& entry) {
  const JsonStyle style = StyleAt(text);
  const bool bare = text.empty() || text == "\xEF\xBB\xBF";
  const bool line_ends = bare || text.ends_with('\n') || text.ends_with('\r');
  SettingsEdit edit;
  edit.added.text = line_ends ? "" : style.newline;
  edit.added.text += BracketText("{}", {NestedMember(path, entry, 1, style)}, 0, style);
  if (line_ends) edit.added.text += style.newline;
  edit.text = std::string(text) + edit.added.text;
  return edit;
}

// Removes a member, its comma and the white space before it.
std::string WithoutMember(std::string_view text, const JsonPlace& place) {
  const JsoncMember& member = place.member();
  const size_t begin = BeforeBlanks(text, member.key_begin);
  const size_t end = member.value.end;
  std::string rest(text.substr(0, begin));
  const size_t next = SkipJsoncBlanks(text, end);
  if (text[next] == ',') {
    rest += text.substr(end, next - end);
    return rest + std::string(text.substr(next + 1));
  }
  rest += text.substr(end);
  if (place.index > 0) {
    const size_t comma = SkipJsoncBlanks(text, place.owner->members[place.index - 1].value.end);
    rest.erase(comma, 1);
  }
  return rest;
}

// Removes exactly `added.text` and the comma that was put before it; nothing if the text around the
// entry is not that any more.
std::optional<std::string> TakeExactly(std::string_view text, const std::vector<JsonPlace>& places,
                                       const AddedText& added) {
  const size_t key = places.back().member().key_begin;
  if (key < added.entry_offset) return std::nullopt;
  const size_t begin = key - added.entry_offset;
  if (added.text.empty() || text.substr(begin, added.text.size()) != added.text) {
    return std::nullopt;
  }
  const size_t end = begin + added.text.size();
  std::string rest = std::string(text.substr(0, begin)) + std::string(text.substr(end));
  if (added.text.ends_with(',')) return rest;
  const size_t next = SkipJsoncBlanks(text, end);
  if (next < text.size() && text[next] == ',') {
    rest.erase(next - added.text.size(), 1);
    return rest;
  }
  // The outermost member that was inserted.
  const auto outermost = std::ranges::find_if(
      places, [&](const JsonPlace& place) { return place.member().key_begin >= begin; });
  if (added.comma && outermost->index > 0) {
    const JsoncMember& previous = outermost->owner->members[outermost->index - 1];
    rest.erase(SkipJsoncBlanks(text, previous.value.end), 1);
  }
  return rest;
}

// How many members of the path were inserted: the entry and the objects around it.
size_t MembersIn(const AddedText& added, const EntryPath& path) {
  size_t count = 1;
  const std::string_view head = std::string_view(added.text).substr(0, added.entry_offset);
  while (count < path.size() && head.find(QuotedText(path[path.size() - 1 - count])) != head.npos) {
    ++count;
  }
  return count;
}

// Removes the entry, and the objects around it that were inserted with it and hold nothing else.
Result<std::string> TakeMembers(std::string_view text, const EntryPath& path, size_t members) {
  RECALL_ASSIGN(const JsoncText found, Examine(text, path));
  std::string rest = WithoutMember(text, found.places.back());
  const bool more = members > 1 && found.places.back().owner->members.size() == 1;
  if (!more) return rest;
  return TakeMembers(rest, EntryPath(path.begin(), path.end() - 1), members - 1);
}

}  // namespace

Result<std::optional<std::string>> FindJsonEntry(std::string_view text, const EntryPath& path) {
  RECALL_ASSIGN(const JsoncText found, Examine(text, path));
  if (found.places.size() < path.size()) return std::optional<std::string>();
  return std::optional(CanonicalJson(found.places.back().member().value));
}

Result<SettingsEdit> AddJsonEntry(std::string_view text, const EntryPath& path,
                                  const ServerEntry& entry) {
  RECALL_ASSIGN(const JsoncText found, Examine(text, path));
  const std::span<const std::string> missing = std::span(path).subspan(found.places.size());
  SettingsEdit edit;
  if (!found.root) {
    edit = WholeObject(text, path, entry);
  } else {
    const bool at_root = found.places.empty();
    const JsoncValue& object = at_root ? *found.root : found.places.back().member().value;
    const JsoncMember* const member = at_root ? nullptr : &found.places.back().member();
    edit = object.members.empty() ? FillObject(text, object, member, missing, entry)
                                  : AppendMember(text, object, missing, entry);
  }
  RECALL_TRY(CheckJsonEdit(text, edit.text, path));
  RECALL_ASSIGN(const JsoncText now, Examine(edit.text, path));
  if (now.places.size() < path.size()) return Fail(MustBeEditedByHand());
  const JsoncValue& value = now.places.back().member().value;
  const bool is_item = path.back() == kHookStep;
  edit.added.entry_offset =
      edit.added.text.rfind(is_item ? edit.text.substr(value.begin, value.end - value.begin)
                                    : QuotedText(path.back()) + ":");
  return edit;
}

Result<SettingsEdit> ReplaceJsonEntry(std::string_view text, const EntryPath& path,
                                      const ServerEntry& entry) {
  RECALL_ASSIGN(const JsoncText found, Examine(text, path));
  const JsoncMember& member = found.places.back().member();
  JsonStyle style = StyleAt(text);
  style.lines = IsFirstOnItsLine(text, member.key_begin);
  style.indentation = IndentationAt(text, member.key_begin);
  SettingsEdit edit;
  edit.added.text = EntryValueText(entry, 0, style);
  edit.added.replaced = text.substr(member.value.begin, member.value.end - member.value.begin);
  edit.text = std::string(text.substr(0, member.value.begin)) + edit.added.text +
              std::string(text.substr(member.value.end));
  RECALL_TRY(CheckJsonEdit(text, edit.text, path));
  return edit;
}

Result<std::string> TakeJsonEntry(std::string_view text, const EntryPath& path,
                                  const AddedText* added) {
  RECALL_ASSIGN(const JsoncText found, Examine(text, path));
  if (added != nullptr && added->replaced) {
    const JsoncValue& value = found.places.back().member().value;
    std::string rest = std::string(text.substr(0, value.begin)) + *added->replaced +
                       std::string(text.substr(value.end));
    RECALL_TRY(CheckJsonEdit(text, rest, path));
    return rest;
  }
  if (added != nullptr) {
    std::optional<std::string> rest = TakeExactly(text, found.places, *added);
    if (rest && CheckJsonEdit(text, *rest, path).ok()) return std::move(*rest);
  }
  RECALL_ASSIGN(std::string rest,
                TakeMembers(text, path, added == nullptr ? 1 : MembersIn(*added, path)));
  RECALL_TRY(CheckJsonEdit(text, rest, path));
  return rest;
}

}  // namespace recall
