#include "query/rql/field_names.h"

#include <algorithm>
#include <utility>

#include "query/rql/rql_lexer.h"
#include "storage/base/nearest_word.h"

namespace recall {
namespace {

// Resolves `parts[first...]` as a field of `table`.
std::optional<FieldRef> FindIn(FieldTable table, const NameParts& parts, size_t first) {
  if (first >= parts.size()) return std::nullopt;
  const FieldInfo* info = FindField(table, parts[first]);
  const bool is_last = first + 1 == parts.size();
  if (!info) {
    const std::string_view key = CardKey(parts[first]);
    if (table != FieldTable::kDoc || !is_last || key.empty()) return std::nullopt;
    return FieldRef{Field::kDocMetaKey, {std::string(key)}};
  }
  if (is_last && info->keys == FieldKeys::kNone) return FieldRef{info->field, {}};
  FieldRef field{info->field == Field::kDocMeta ? Field::kDocMetaKey : info->field,
                 {parts.begin() + static_cast<ptrdiff_t>(first) + 1, parts.end()}};
  switch (InfoOf(field.field).keys) {
    case FieldKeys::kNone:
      return std::nullopt;
    case FieldKeys::kMetadata:
      return is_last ? std::nullopt : std::optional(std::move(field));
    case FieldKeys::kRelation:
      return field.meta_path.size() == 1 ? std::optional(std::move(field)) : std::nullopt;
  }
  return std::nullopt;
}

std::string Lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

// Returns: the field whose name has the smallest edit distance to `name`, ignoring
// case, at most 2; null if there
// is none. Of equally near fields, one of `table` is preferred, then the first.
const FieldInfo* NearestField(std::string_view name, std::optional<FieldTable> table) {
  constexpr size_t kLongest = 32;
  if (name.size() > kLongest) return nullptr;
  const FieldInfo* nearest = nullptr;
  size_t least = 0;
  for (const FieldInfo& info : AllFields()) {
    const size_t distance = EditDistance(Lowered(name), info.name);
    if (distance > 2 || 2 * distance >= std::max(name.size(), info.name.size())) continue;
    const size_t rank = 2 * distance + (table && info.table != *table ? 1 : 0);
    if (!nearest || rank < least) {
      nearest = &info;
      least = rank;
    }
  }
  return nearest;
}

std::string ListFields(FieldTable table) {
  std::string list = table == FieldTable::kDoc ? "doc has " : "chunk has ";
  for (const FieldInfo& info : AllFields()) {
    if (info.table == table && info.stored()) list.append(info.name).append(", ");
  }
  list.resize(list.size() - 2);
  return table == FieldTable::kDoc ? list + "; metadata is doc.meta.KEY" : list;
}

}  // namespace

FieldTable TableOf(const FieldRef& field) { return InfoOf(field.field).table; }

std::optional<FieldTable> FindTable(std::string_view name) {
  if (EqualsIgnoringCase(name, "DOC")) return FieldTable::kDoc;
  if (EqualsIgnoringCase(name, "CHUNK")) return FieldTable::kChunk;
  return std::nullopt;
}

std::optional<FieldRef> FindQualified(const NameParts& parts) {
  const std::optional<FieldTable> table = FindTable(parts[0]);
  return table ? FindIn(*table, parts, 1) : std::nullopt;
}

std::optional<FieldRef> FindAny(const NameParts& parts) {
  if (FindTable(parts[0])) return FindQualified(parts);
  // In recall 0.1 only chunks have the field `tokens`; the unqualified name keeps that meaning.
  if (parts.size() == 1 && parts[0] == "tokens") return FieldRef{Field::kChunkTokens, {}};
  if (auto field = FindIn(FieldTable::kDoc, parts, 0)) return field;
  return FindIn(FieldTable::kChunk, parts, 0);
}

std::string SuggestField(const NameParts& parts) {
  const std::optional<FieldTable> table = FindTable(parts[0]);
  if (!table) {
    if (const auto field = FindAny(parts)) return "did you mean " + FieldName(*field) + "?";
  }
  // The part after the table, or after a misspelt table.
  const std::string& name = parts[parts.size() > 1 ? 1 : 0];
  if (table && parts.size() == 1) return ListFields(*table);
  if (const FieldInfo* nearest = NearestField(name, table)) {
    FieldRef field{nearest->field, {}};
    if (nearest->keys == FieldKeys::kRelation) {
      return "name a relation, as in " + FieldName(field) +
             ".supports, or all of them: " + FieldName(field) + "." + std::string(kAnyRelation);
    }
    if (nearest->keys == FieldKeys::kMetadata) {
      return "name a value, as in doc.session.files, or doc.session.branch";
    }
    if (field.field == Field::kDocMeta && parts.size() > 2) {
      field = {Field::kDocMetaKey, {parts.begin() + 2, parts.end()}};
    }
    return "did you mean " + FieldName(field) + "?";
  }
  if (table) return ListFields(*table);
  return "a field is doc.NAME or chunk.NAME, a value of the metadata doc.meta.KEY";
}

}  // namespace recall
