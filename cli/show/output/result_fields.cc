// A list of fields is parsed once into items: a short name (lines, hash, id, ...) whose value is
// made here, or a field of RQL whose value FieldValues writes. Each result is then written item by
// item, as members of JSON or as cells of a row.

#include "cli/show/output/result_fields.h"

#include <algorithm>
#include <utility>

#include "cli/show/output/field_values.h"
#include "cli/show/output/number_text.h"
#include "cli/show/output/query_text.h"
#include "query/ask/answer/text_reference.h"
#include "query/rql/field_names.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr std::string_view kKnownNames =
    "path, lines, place, hash, cite, id, score, heading, snippet, text, bytes, and names of RQL "
    "such as doc.tag";

constexpr size_t kShortIdDigits = 12;

NameParts SplitName(const std::string& name) {
  NameParts parts(1);
  for (const char c : name) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::optional<LineRange> LinesOf(const ResultView& result) {
  if (!result.chunk || result.chunk->start_line == 0) return std::nullopt;
  return LineRange{result.chunk->start_line, result.chunk->end_line};
}

}  // namespace

std::optional<ResultFields::Item> ResultFields::Find(const std::string& name) {
  static constexpr std::pair<std::string_view, Kind> kShort[] = {
      {"score", Kind::kScore}, {"lines", Kind::kLines}, {"hash", Kind::kHash},
      {"cite", Kind::kCite},   {"id", Kind::kId},       {"snippet", Kind::kSnippet},
      {"bytes", Kind::kBytes}, {"place", Kind::kPlace},
  };
  for (const auto& [known, kind] : kShort) {
    if (name == known) return Item{name, kind, {}};
  }
  if (name == "path") return Item{name, Kind::kField, {Field::kDocPath, {}}};
  if (name == "heading") return Item{name, Kind::kField, {Field::kChunkHeading, {}}};
  if (name == "text") return Item{name, Kind::kField, {Field::kChunkText, {}}};
  const NameParts parts = SplitName(name);
  if (std::ranges::any_of(parts, &std::string::empty)) return std::nullopt;
  if (auto field = FindQualified(parts)) return Item{name, Kind::kField, *std::move(field)};
  return std::nullopt;
}

Result<ResultFields> ResultFields::Parse(std::string_view list) {
  std::vector<Item> items;
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    const std::string name(Trim(list.substr(at, end - at)));
    at = end + 1;
    if (name.empty()) {
      return Fail(Status::InvalidArgument("--fields has an empty name",
                                          "separate names by single commas: path,lines,snippet"));
    }
    if (std::ranges::find(items, name, &Item::name) != items.end()) {
      return Fail(Status::InvalidArgument("--fields names '" + name + "' twice"));
    }
    auto item = Find(name);
    if (!item) {
      const NameParts parts = SplitName(name);
      std::string hint = parts.size() > 1 ? SuggestField(parts) : "";
      if (hint.empty()) hint = "the names are " + std::string(kKnownNames);
      return Fail(Status::InvalidArgument("--fields: unknown field '" + name + "'", hint));
    }
    items.push_back(*std::move(item));
  }
  return ResultFields(std::move(items));
}

bool ResultFields::Has(Kind kind) const {
  return std::ranges::find(items_, kind, &Item::kind) != items_.end();
}

bool ResultFields::needs_hash() const { return Has(Kind::kHash) || Has(Kind::kCite); }
bool ResultFields::needs_snippet() const { return Has(Kind::kSnippet); }
bool ResultFields::needs_text() const {
  return needs_snippet() || std::ranges::any_of(items_, [](const Item& item) {
           return item.kind == Kind::kField && item.field.field == Field::kChunkText;
         });
}

std::vector<FieldRef> ResultFields::computed() const {
  std::vector<FieldRef> fields;
  for (const Item& item : items_) {
    if (item.kind == Kind::kField &&
        (InfoOf(item.field.field).computed() || InfoOf(item.field.field).of_parts())) {
      fields.push_back(item.field);
    }
  }
  return fields;
}

std::optional<std::string> ResultFields::ShortValue(Kind kind, const ResultView& result) {
  const ChunkView* chunk = result.chunk;
  switch (kind) {
    case Kind::kLines:
      if (const auto lines = LinesOf(result)) {
        return std::to_string(lines->first) + "-" + std::to_string(*lines->last);
      }
      return std::nullopt;
    case Kind::kPlace:
      if (!chunk || !chunk->locator) return std::nullopt;
      return chunk->locator->text;
    case Kind::kHash:
      if (!chunk || chunk->lines_hash.empty()) return std::nullopt;
      return chunk->lines_hash.substr(0, kCitedHashDigits);
    case Kind::kCite:
      if (std::string cite = CitationOf(*result.doc, chunk); !cite.empty()) return cite;
      return std::nullopt;
    case Kind::kId:
      return (chunk && !chunk->id.empty() ? chunk->id : result.doc->id).substr(0, kShortIdDigits);
    case Kind::kSnippet:
      if (!result.snippet) return std::nullopt;
      return result.snippet->text;
    case Kind::kBytes:
      if (!result.in_context) return std::nullopt;
      return std::to_string(result.in_context->start) + "-" +
             std::to_string(result.in_context->end);
    case Kind::kScore:
    case Kind::kField:
      return std::nullopt;
  }
  return std::nullopt;
}

void ResultFields::Write(const ResultView& result, ResultForm form, JsonWriter& json) const {
  const bool lean = form == ResultForm::kLean;
  FieldValues values(*result.doc, result.chunk);
  for (const Item& item : items_) {
    if (item.kind == Kind::kField) {
      if (lean && values.Text(item.field).empty()) continue;
      json.Key(item.name);
      values.Write(item.field, json);
    } else if (item.kind == Kind::kScore) {
      if (lean && !result.score) continue;
      json.Field(item.name, lean ? LeanScore(*result.score) : result.score);
    } else {
      const std::optional<std::string> value = ShortValue(item.kind, result);
      if (lean && (!value || value->empty())) continue;
      json.Field(item.name, value);
    }
  }
  WriteSourceState(*result.doc, json);
}

std::string ResultFields::Row(const ResultView& result) const {
  FieldValues values(*result.doc, result.chunk);
  std::string row;
  for (const Item& item : items_) {
    if (&item != &items_.front()) row += '\t';
    if (item.kind == Kind::kField) {
      row += EscapeCell(values.Text(item.field));
    } else if (item.kind == Kind::kScore) {
      if (result.score) row += FormatNumber("%.3f", *result.score);
    } else {
      row += EscapeCell(ShortValue(item.kind, result).value_or(""));
    }
  }
  return row + "\n";
}

}  // namespace recall
