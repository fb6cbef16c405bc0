#include "query/compat/memories/foreign_card.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "query/compat/memories/foreign_memory.h"
#include "storage/base/json_tree.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

using Json = nlohmann::json;

std::string PrintJson(const Json& value) {
  std::string text;
  JsonWriter writer(&text);
  WriteTree(value, writer);
  return text;
}

std::optional<std::string> ToText(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return PrintJson(value);
  return std::nullopt;
}

// "a, b" -> "a", "b"
std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> items;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string_view item = Trim(text.substr(at, end - at));
    if (!item.empty()) items.emplace_back(item);
    at = end + 1;
  }
  return items;
}

// The trees of ParseJsonObject have at most 64 levels.
void Repair(Json* value, bool* repaired) {
  if (value->is_string()) {
    auto& text = value->get_ref<std::string&>();
    if (text.find('\0') != std::string::npos) text = RepairedText(text, repaired);
  } else if (value->is_structured()) {
    for (Json& element : *value) Repair(&element, repaired);
  }
}

bool IsEmpty(const Json& value) {
  return value.is_null() || (value.is_structured() && value.empty()) ||
         (value.is_string() && value.get_ref<const std::string&>().empty());
}

}  // namespace

CardFields::CardFields(Json fields) : fields_(std::move(fields)) { Repair(&fields_, &repaired_); }

std::optional<std::string> CardFields::Text(std::initializer_list<std::string_view> names) {
  return Take(names, ToText);
}

std::vector<std::string> CardFields::List(std::initializer_list<std::string_view> names) {
  const auto list = Take(names, [](const Json& value) -> std::optional<std::vector<std::string>> {
    if (!value.is_array()) {
      const auto text = ToText(value);
      if (!text) return std::nullopt;
      return SplitAtCommas(*text);
    }
    std::vector<std::string> items;
    for (const Json& element : value) {
      if (element.is_null()) continue;
      auto item = ToText(element);
      if (!item) return std::nullopt;
      if (!Trim(*item).empty()) items.push_back(std::move(*item));
    }
    return items;
  });
  return list.value_or(std::vector<std::string>());
}

std::optional<double> CardFields::Number(std::initializer_list<std::string_view> names) {
  return Take(names, [](const Json& value) -> std::optional<double> {
    if (!value.is_number() || !std::isfinite(value.get<double>())) return std::nullopt;
    return value.get<double>();
  });
}

std::optional<int64_t> CardFields::Integer(std::initializer_list<std::string_view> names) {
  return Take(names, [](const Json& value) -> std::optional<int64_t> {
    const bool fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() || value.get<uint64_t>() <= uint64_t{INT64_MAX});
    return fits ? std::optional(value.get<int64_t>()) : std::nullopt;
  });
}

std::optional<UnixNanos> CardFields::Time(std::initializer_list<std::string_view> names) {
  return Take(names, [](const Json& value) -> std::optional<UnixNanos> {
    if (!value.is_string()) return std::nullopt;
    return ParseForeignTime(value.get_ref<const std::string&>());
  });
}

std::optional<Json> CardFields::Any(std::initializer_list<std::string_view> names) {
  return Take(names, [](const Json& value) { return std::optional(value); });
}

std::vector<std::string> CardFields::Texts(std::string_view name) {
  const auto texts = Take({name}, [](const Json& value) -> std::optional<std::vector<std::string>> {
    if (!value.is_array()) return std::nullopt;
    std::vector<std::string> items;
    for (const Json& element : value) {
      items.push_back(ToText(element).value_or(PrintJson(element)));
    }
    return items;
  });
  return texts.value_or(std::vector<std::string>());
}

std::vector<std::string> CardFields::Peek(std::string_view name) const {
  CardFields copy(fields_.contains(name) ? Json{{name, fields_.at(std::string(name))}}
                                         : Json::object());
  return copy.List({name});
}

std::vector<std::pair<std::string, std::string>> CardFields::Rest() const {
  std::vector<std::pair<std::string, std::string>> rest;
  for (const auto& [name, value] : fields_.items()) {
    if (!IsEmpty(value)) rest.emplace_back(name, PrintJson(value));
  }
  return rest;
}

NoteDraft TakeDraft(CardFields* fields) {
  NoteDraft draft;
  draft.type = fields->Text({"type"}).value_or("");
  draft.title = fields->Text({"title"}).value_or("");
  draft.summary = fields->Text({"summary"});
  draft.tags = fields->List({"tags"});
  draft.recall_when = fields->List({"recall_when"});
  draft.topic_path = fields->List({"topic_path"});
  draft.scope = fields->Text({"scope"});
  draft.source = fields->Text({"source"});
  draft.confidence = fields->Number({"confidence"});
  draft.sensitivity = fields->Text({"sensitivity"});
  draft.status = fields->Text({"status"});
  draft.memory = fields->Text({"memory"});
  draft.created = fields->Time({"created"});
  draft.updated = fields->Time({"updated"});
  draft.last_reviewed_at = fields->Time({"last_reviewed_at"});
  draft.valid_until = fields->Time({"valid_until"});
  draft.expires_after_days = fields->Integer({"expires_after_days"});
  draft.related = fields->List({"related"});
  draft.superseded_by = fields->Text({"superseded_by"});
  return draft;
}

void KeepRest(const CardFields& fields, NoteDraft* draft, std::map<std::string, int64_t>* kept) {
  for (auto& [name, value] : fields.Rest()) {
    ++(*kept)[name];
    // A name that YAML would not read as this text is quoted.
    const bool plain =
        std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
    const bool is_word = plain && name != "null" && name != "true" && name != "false";
    draft->other.emplace_back(is_word ? name : PrintJson(name), value);
  }
  // Read again from its Markdown, the note is the same.
  std::ranges::sort(draft->other);
}

}  // namespace recall
