#include "cli/show/output/field_values.h"

#include "query/memory/sessions/session_view.h"

#include <algorithm>
#include <span>

#include "query/ask/answer/text_reference.h"

namespace recall {
namespace {

template <typename Visit>
void VisitDocField(const DocView& doc, Field field, Visit visit) {
  switch (field) {
    case Field::kDocId:
      return visit(doc.id);
    case Field::kDocPath:
      return visit(doc.path);
    case Field::kDocMtime:
      return visit(doc.mtime);
    case Field::kDocHash:
      return visit(doc.hash);
    case Field::kDocTag:
      return visit(doc.tag);
    case Field::kDocSource:
      return visit(doc.source);
    case Field::kDocParser:
      return visit(doc.parser);
    case Field::kDocSize:
      return visit(doc.size);
    case Field::kDocTokens:
      return visit(doc.tokens);
    case Field::kDocChunks:
      return visit(doc.chunks);
    case Field::kDocOrigin:
      return visit(doc.origin);
    default:
      return visit(nullptr);
  }
}

template <typename Visit>
void VisitTurnField(const std::string& heading, Field field, Visit visit) {
  const auto turn = TurnOfHeading(heading);
  if (!turn) return visit(nullptr);
  if (field == Field::kChunkTurn) return visit(turn->turn);
  const std::string& text = field == Field::kChunkRole ? turn->role : turn->at;
  return text.empty() ? visit(nullptr) : visit(text);
}

template <typename Visit>
void VisitChunkField(const ChunkView& chunk, Field field, Visit visit) {
  switch (field) {
    case Field::kChunkId:
      return visit(chunk.id);
    case Field::kChunkDocId:
      return visit(chunk.doc_id);
    case Field::kChunkOffset:
      return visit(chunk.offset);
    case Field::kChunkTokens:
      return visit(chunk.tokens);
    case Field::kChunkText:
      return visit(chunk.text);
    case Field::kChunkHeading:
      return visit(chunk.heading);
    case Field::kChunkStartByte:
      return visit(chunk.start_byte);
    case Field::kChunkEndByte:
      return visit(chunk.end_byte);
    case Field::kChunkStartLine:
      return visit(chunk.start_line);
    case Field::kChunkEndLine:
      return visit(chunk.end_line);
    case Field::kChunkTurn:
    case Field::kChunkRole:
    case Field::kChunkAt:
      return VisitTurnField(chunk.heading, field, visit);
    default:
      return visit(nullptr);
  }
}

// Convert a value to the text of a table cell.
void AssignText(const std::string& value, std::string* text) { *text = value; }
void AssignText(const std::optional<std::string>& value, std::string* text) {
  *text = value.value_or("");
}
void AssignText(std::nullptr_t, std::string* text) { text->clear(); }
void AssignText(std::integral auto value, std::string* text) { *text = std::to_string(value); }

// Whether the value of a field is kept as JSON (ComputedValue).
bool IsMadeOfJson(Field field) { return InfoOf(field).computed() || InfoOf(field).of_parts(); }

bool StartsWith(const std::vector<std::string>& path, const std::vector<std::string>& prefix) {
  return prefix.size() <= path.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

// Returns: the selected keys of a field (of metadata, or relations of links), in the order of their
// paths. A key within another selected value is omitted, because it is printed with that value.
std::vector<FieldRef> SelectedKeys(Field field, const std::vector<QueryColumn>& columns) {
  std::vector<FieldRef> keys;
  for (const QueryColumn& column : columns) {
    if (!column.is_score && column.field.field == field) keys.push_back(column.field);
  }
  std::ranges::sort(keys, {}, &FieldRef::meta_path);
  std::vector<FieldRef> outermost;
  for (FieldRef& key : keys) {
    const bool within = !outermost.empty() && StartsWith(key.meta_path, outermost.back().meta_path);
    if (!within) outermost.push_back(std::move(key));
  }
  return outermost;
}

// Writes the selected keys, each within the objects of its path.
void WriteSelectedKeys(Field field, const std::vector<QueryColumn>& columns, FieldValues& values,
                       JsonWriter& json) {
  json.BeginObject();
  std::vector<std::string> open;  // the names of the open objects, outermost first
  for (const FieldRef& key : SelectedKeys(field, columns)) {
    const std::span<const std::string> objects(key.meta_path.begin(), key.meta_path.end() - 1);
    size_t shared = 0;
    while (shared < std::min(open.size(), objects.size()) && open[shared] == objects[shared]) {
      ++shared;
    }
    for (size_t i = shared; i < open.size(); ++i) json.EndObject();
    for (const std::string& name : objects.subspan(shared)) json.BeginObject(name);
    open.assign(objects.begin(), objects.end());
    json.Key(key.meta_path.back());
    values.Write(key, json);
  }
  for (size_t i = 0; i < open.size(); ++i) json.EndObject();
  json.EndObject();
}

// The selected fields of one table, written as one object; nothing if none of its fields is
// selected.
class SelectedFields final {
 public:
  SelectedFields(FieldTable table, const std::vector<QueryColumn>& columns, FieldValues& values)
      : table_(table), columns_(columns), values_(values) {}

  bool Any() const {
    return std::ranges::any_of(AllFields(), [&](const FieldInfo& info) { return Has(info); });
  }

  void Write(JsonWriter& json) const {
    for (const FieldInfo& info : AllFields()) {
      if (!Has(info)) continue;
      json.Key(info.name);
      const bool keyed = info.field == Field::kDocLink || info.field == Field::kDocBacklink ||
                         info.field == Field::kDocSession;
      if (keyed) {
        WriteSelectedKeys(info.field, columns_, values_, json);
      } else if (Selects(info.field)) {
        values_.Write({info.field, {}}, json);
      } else {
        WriteSelectedKeys(Field::kDocMetaKey, columns_, values_, json);
      }
    }
  }

 private:
  bool Selects(Field field) const {
    return std::ranges::any_of(columns_, [&](const QueryColumn& column) {
      return !column.is_score && column.field.field == field;
    });
  }

  bool Has(const FieldInfo& info) const {
    if (info.table != table_) return false;
    if (info.field != Field::kDocMeta) return Selects(info.field);
    return Selects(Field::kDocMeta) ? values_.has_meta() : Selects(Field::kDocMetaKey);
  }

  FieldTable table_;
  const std::vector<QueryColumn>& columns_;
  FieldValues& values_;
};

std::vector<QueryColumn> AllColumns(FieldTable table) {
  std::vector<QueryColumn> columns;
  for (const FieldInfo& info : AllFields()) {
    if (info.table == table && info.stored())
      columns.push_back({false, {info.field, {}}, std::string(info.name)});
  }
  return columns;
}

}  // namespace

MetadataTree FieldValues::Computed(const FieldRef& field) const {
  static const std::vector<ComputedValue> kNoValues;
  const bool of_parts = InfoOf(field.field).of_parts();
  const auto& values = !of_parts ? doc_.computed : chunk_ ? chunk_->parts : kNoValues;
  const auto found = std::ranges::find(values, field, &ComputedValue::field);
  return MetadataTree(found == values.end() ? std::nullopt : std::optional(found->json));
}

const MetadataTree& FieldValues::Meta() {
  if (!meta_) meta_.emplace(doc_.meta_json);
  return *meta_;
}

const MetadataTree& FieldValues::SessionMeta() {
  static const MetadataTree kNone(std::nullopt);
  return IsSession(doc_) ? Meta() : kNone;
}

// Visits a field that is not metadata or a key of it.
template <typename Visit>
void FieldValues::VisitPlain(Field field, Visit visit) const {
  if (InfoOf(field).table == FieldTable::kDoc) return VisitDocField(doc_, field, visit);
  chunk_ == nullptr ? visit(nullptr) : VisitChunkField(*chunk_, field, visit);
}

void FieldValues::Write(const FieldRef& field, JsonWriter& json) {
  if (field.field == Field::kDocMeta) return Meta().Write({}, json);
  if (field.field == Field::kDocMetaKey) return Meta().Write(field.meta_path, json);
  if (field.field == Field::kDocSession) return SessionMeta().Write(field.meta_path, json);
  if (IsMadeOfJson(field.field)) return Computed(field).Write({}, json);
  VisitPlain(field.field, [&](const auto& value) { json.Value(value); });
}

std::string FieldValues::Text(const FieldRef& field) {
  if (field.field == Field::kDocMeta) return Meta().Text({});
  if (field.field == Field::kDocMetaKey) return Meta().Text(field.meta_path);
  if (field.field == Field::kDocSession) return SessionMeta().Text(field.meta_path);
  if (IsMadeOfJson(field.field)) return Computed(field).Text({});
  std::string text;
  VisitPlain(field.field, [&](const auto& value) { AssignText(value, &text); });
  return text;
}

std::string CitationOf(const DocView& doc, const ChunkView* chunk) {
  if (!chunk) return ExactCitation(doc.path, doc.hash, std::nullopt);
  if (chunk->lines_hash.empty()) return "";
  return ExactCitation(doc.path, chunk->lines_hash, LineRange{chunk->start_line, chunk->end_line});
}

void WriteFields(const DocView& doc, JsonWriter& json) {
  static const std::vector<QueryColumn> kColumns = AllColumns(FieldTable::kDoc);
  FieldValues values(doc);
  SelectedFields(FieldTable::kDoc, kColumns, values).Write(json);
}

void WriteFields(const ChunkView& chunk, JsonWriter& json) {
  static const std::vector<QueryColumn> kColumns = AllColumns(FieldTable::kChunk);
  const DocView no_doc;
  FieldValues values(no_doc, &chunk);
  SelectedFields(FieldTable::kChunk, kColumns, values).Write(json);
  WriteLocator(chunk, json);
}

void WriteLocator(const ChunkView& chunk, JsonWriter& json) {
  if (!chunk.locator) return;
  json.Object("locator", [&] {
    json.Field("kind", chunk.locator->kind);
    json.Field("from", chunk.locator->from);
    json.Field("to", chunk.locator->to);
    json.Field("text", chunk.locator->text);
  });
}

void WriteFields(const std::vector<QueryColumn>& columns, const QueryRow& row, JsonWriter& json) {
  FieldValues values(row.doc, row.chunk ? &*row.chunk : nullptr);
  if (std::ranges::any_of(columns, &QueryColumn::is_score)) json.Field("score", row.score);
  const SelectedFields doc(FieldTable::kDoc, columns, values);
  if (doc.Any()) json.Object("doc", [&] { doc.Write(json); });
  const SelectedFields chunk(FieldTable::kChunk, columns, values);
  if (!values.has_chunk() || !chunk.Any()) return;
  json.Object("chunk", [&] {
    chunk.Write(json);
    WriteLocator(*row.chunk, json);
  });
}

}  // namespace recall
