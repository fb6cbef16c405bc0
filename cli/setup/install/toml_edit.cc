#include "cli/setup/install/toml_edit.h"

#include <algorithm>
#include <sstream>

#include "cli/options/settings/toml_library.h"
#include "cli/options/settings/toml_nesting.h"
#include "cli/setup/install/entry_text.h"
#include "cli/setup/install/jsonc.h"

namespace recall {
namespace {

Result<toml::table> ParseToml(std::string_view text) {
  if (const std::optional<size_t> line = LineOfDeepToml(text)) {
    return Fail(Status::InvalidArgument("it is nested too deep")
                    .WithPosition({static_cast<int64_t>(*line), 0, ""}));
  }
  toml::parse_result parsed = toml::parse(text);
  if (parsed) return std::move(parsed).table();
  const toml::parse_error& error = parsed.error();
  return Fail(Status::InvalidArgument(std::string(error.description()))
                  .WithPosition({error.source().begin.line, error.source().begin.column, ""}));
}

// A number, date or time, so that equal ones are equal texts.
std::string ScalarText(const toml::node& node) {
  std::ostringstream text;
  if (const auto* const integer = node.as_integer()) {
    text << **integer;
  } else if (const auto* const number = node.as_floating_point()) {
    text << std::hexfloat << **number;
  } else if (const auto* const date = node.as_date()) {
    text << **date;
  } else if (const auto* const time = node.as_time()) {
    text << **time;
  } else if (const auto* const moment = node.as_date_time()) {
    text << **moment;
  }
  return text.str();
}

// The values as a tree of JSON, to be compared.
JsoncValue TreeOf(const toml::node& node) {
  JsoncValue value;
  if (const toml::table* const table = node.as_table()) {
    value.kind = JsoncValue::Kind::kObject;
    for (const auto& [name, member] : *table) {
      value.members.push_back({.name = std::string(name.str()), .value = TreeOf(member)});
    }
  } else if (const toml::array* const array = node.as_array()) {
    value.kind = JsoncValue::Kind::kArray;
    for (const toml::node& item : *array)
      value.members.push_back({.name = {}, .value = TreeOf(item)});
  } else if (const auto* const text = node.as_string()) {
    value.kind = JsoncValue::Kind::kString;
    value.text = **text;
  } else if (const auto* const flag = node.as_boolean()) {
    value.text = **flag ? "true" : "false";
  } else {
    value.kind = JsoncValue::Kind::kNumber;
    value.text = ScalarText(node);
  }
  return value;
}

// The entry's node; null if there is none. Errors: InvalidArgument if a table is something else.
Result<const toml::node*> NodeAt(const toml::table& root, const EntryPath& path) {
  const toml::node* node = &root;
  for (const std::string& name : path) {
    const toml::table* const table = node->as_table();
    if (table == nullptr) {
      const auto at = node->source().begin;
      return Fail(
          Status::InvalidArgument(path[0] + " is not a table", "correct the file, then try again")
              .WithPosition({at.line, at.column, ""}));
    }
    node = table->get(name);
    if (node == nullptr) return nullptr;
  }
  return node;
}

// Checks that the new text holds what the old one does, apart from the entry.
Status CheckTomlEdit(std::string_view before, std::string_view after, const EntryPath& path) {
  const Result<toml::table> old_table = ParseToml(before);
  const Result<toml::table> new_table = ParseToml(after);
  if (old_table && new_table &&
      CanonicalJson(TreeOf(*old_table), path) == CanonicalJson(TreeOf(*new_table), path)) {
    return {};
  }
  return MustBeEditedByHand();
}

std::string TomlTable(const EntryPath& path, const ServerEntry& entry, const std::string& newline) {
  std::string text = "[" + path[0] + "." + path[1] + "]";
  for (const EntryField& field : entry) {
    text += newline + field.name + " = ";
    if (const bool* flag = std::get_if<bool>(&field.value)) {
      text += *flag ? "true" : "false";
    } else if (const auto* word = std::get_if<std::string>(&field.value)) {
      text += QuotedText(*word);
    } else if (const auto* list = std::get_if<std::vector<std::string>>(&field.value)) {
      std::string words;
      for (const std::string& item : *list) words += (words.empty() ? "" : ", ") + QuotedText(item);
      text += "[" + words + "]";
    } else {
      // No entry of a TOML file has a number or a list of tables.
      text += "[]";
    }
  }
  return text;
}

uint32_t LastLineOf(const toml::node& node) {
  uint32_t line = std::max(node.source().begin.line, node.source().end.line);
  if (const toml::table* const table = node.as_table()) {
    for (const auto& [name, member] : *table) line = std::max(line, LastLineOf(member));
  } else if (const toml::array* const array = node.as_array()) {
    for (const toml::node& item : *array) line = std::max(line, LastLineOf(item));
  }
  return line;
}

// The start of line `number`, from 1; the end of the text if there are fewer lines.
size_t StartOfLine(std::string_view text, uint32_t number) {
  size_t at = 0;
  for (; number > 1; --number) {
    const size_t newline = text.find('\n', at);
    if (newline == text.npos) return text.size();
    at = newline + 1;
  }
  return at;
}

struct TomlSpan {
  size_t begin = 0;
  size_t end = 0;  // without the end of its last line
};

// The lines of the entry, if it is a table with a header of its own.
Result<TomlSpan> LinesOfEntry(std::string_view text, const EntryPath& path) {
  RECALL_ASSIGN(const toml::table root, ParseToml(text));
  RECALL_ASSIGN(const toml::node* const node, NodeAt(root, path));
  const toml::table* const table = node == nullptr ? nullptr : node->as_table();
  if (table == nullptr || table->is_inline()) return Fail(MustBeEditedByHand());
  TomlSpan span;
  span.begin = StartOfLine(text, table->source().begin.line);
  const size_t header = text.find_first_not_of(" \t", span.begin);
  if (header == text.npos || text[header] != '[') return Fail(MustBeEditedByHand());
  span.end = StartOfLine(text, LastLineOf(*table) + 1);
  while (span.end > span.begin && (text[span.end - 1] == '\n' || text[span.end - 1] == '\r')) {
    --span.end;
  }
  return span;
}

std::string WithSpan(std::string_view text, TomlSpan span, std::string_view put) {
  return std::string(text.substr(0, span.begin)) + std::string(put) +
         std::string(text.substr(span.end));
}

// Where `part` is in the text, if it is there once.
std::optional<TomlSpan> OnlyPlaceOf(std::string_view text, std::string_view part) {
  const size_t at = text.find(part);
  if (part.empty() || at == text.npos || text.find(part, at + 1) != text.npos) return std::nullopt;
  return TomlSpan{at, at + part.size()};
}

}  // namespace

Result<std::optional<std::string>> FindTomlEntry(std::string_view text, const EntryPath& path) {
  RECALL_ASSIGN(const toml::table root, ParseToml(text));
  RECALL_ASSIGN(const toml::node* const node, NodeAt(root, path));
  if (node == nullptr) return std::optional<std::string>();
  return std::optional(CanonicalJson(TreeOf(*node)));
}

Result<SettingsEdit> AddTomlEntry(std::string_view text, const EntryPath& path,
                                  const ServerEntry& entry) {
  const std::string newline = NewlineOf(text);
  const bool bare = text.empty() || text == "\xEF\xBB\xBF";
  const bool line_ends = bare || text.ends_with('\n');
  SettingsEdit edit;
  edit.added.text = (line_ends ? "" : newline) + (bare ? "" : newline);
  edit.added.entry_offset = edit.added.text.size();
  edit.added.text += TomlTable(path, entry, newline) + (line_ends ? newline : "");
  edit.text = std::string(text) + edit.added.text;
  RECALL_TRY(CheckTomlEdit(text, edit.text, path));
  return edit;
}

Result<SettingsEdit> ReplaceTomlEntry(std::string_view text, const EntryPath& path,
                                      const ServerEntry& entry) {
  RECALL_ASSIGN(const TomlSpan span, LinesOfEntry(text, path));
  SettingsEdit edit;
  edit.added.text = TomlTable(path, entry, NewlineOf(text));
  edit.added.replaced = text.substr(span.begin, span.end - span.begin);
  edit.text = WithSpan(text, span, edit.added.text);
  RECALL_TRY(CheckTomlEdit(text, edit.text, path));
  return edit;
}

Result<std::string> TakeTomlEntry(std::string_view text, const EntryPath& path,
                                  const AddedText* added) {
  const std::string put = added == nullptr ? "" : added->replaced.value_or("");
  if (added != nullptr) {
    if (const std::optional<TomlSpan> span = OnlyPlaceOf(text, added->text)) {
      std::string rest = WithSpan(text, *span, put);
      if (CheckTomlEdit(text, rest, path).ok()) return rest;
    }
  }
  RECALL_ASSIGN(TomlSpan span, LinesOfEntry(text, path));
  if (put.empty()) span.end = std::min(text.find('\n', span.end), text.size() - 1) + 1;
  std::string rest = WithSpan(text, span, put);
  RECALL_TRY(CheckTomlEdit(text, rest, path));
  return rest;
}

}  // namespace recall
