#include "cli/output/field_values.h"

#include <algorithm>

namespace recall {
namespace {

template <typename T>
Json ValueOrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json DocField(const DocView& doc, Field field) {
  switch (field) {
    case Field::kDocId:
      return doc.id;
    case Field::kDocPath:
      return doc.path;
    case Field::kDocMtime:
      return doc.mtime;
    case Field::kDocHash:
      return doc.hash;
    case Field::kDocTag:
      return ValueOrNull(doc.tag);
    case Field::kDocSource:
      return ValueOrNull(doc.source);
    case Field::kDocParser:
      return doc.parser;
    case Field::kDocSize:
      return doc.size;
    case Field::kDocTokens:
      return doc.tokens;
    case Field::kDocChunks:
      return doc.chunks;
    default:
      return nullptr;
  }
}

Json ChunkField(const ChunkView& chunk, Field field) {
  switch (field) {
    case Field::kChunkId:
      return chunk.id;
    case Field::kChunkDocId:
      return chunk.doc_id;
    case Field::kChunkOffset:
      return chunk.offset;
    case Field::kChunkTokens:
      return chunk.tokens;
    case Field::kChunkText:
      return chunk.text;
    case Field::kChunkHeading:
      return chunk.heading;
    case Field::kChunkStartByte:
      return chunk.start_byte;
    case Field::kChunkEndByte:
      return chunk.end_byte;
    case Field::kChunkStartLine:
      return chunk.start_line;
    case Field::kChunkEndLine:
      return chunk.end_line;
    default:
      return nullptr;
  }
}

// The value below `path`; null where there is none.
Json Descend(const Json& meta, const std::vector<std::string>& path) {
  const Json* value = &meta;
  for (const std::string& key : path) {
    if (!value->is_object()) return nullptr;
    const auto found = value->find(key);
    if (found == value->end()) return nullptr;
    value = &*found;
  }
  return *value;
}

bool StartsWith(const std::vector<std::string>& path, const std::vector<std::string>& prefix) {
  return prefix.size() <= path.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

// The selected keys of metadata, each below the objects its path names. What lies within another
// selected value is there already.
Json SelectedMeta(const std::vector<QueryColumn>& columns, FieldValues& values) {
  std::vector<FieldRef> keys;
  for (const QueryColumn& column : columns) {
    if (!column.is_score && column.field.field == Field::kDocMetaKey) keys.push_back(column.field);
  }
  std::ranges::sort(keys, {}, &FieldRef::meta_path);
  Json meta = Json::object();
  const FieldRef* last = nullptr;
  for (const FieldRef& key : keys) {
    if (last != nullptr && StartsWith(key.meta_path, last->meta_path)) continue;
    Json* place = &meta;
    for (const std::string& name : key.meta_path) place = &(*place)[name];
    *place = values.Get(key);
    last = &key;
  }
  return meta;
}

// The part of a row that is of one table.
Json SelectedFields(FieldTable table, const std::vector<QueryColumn>& columns,
                    FieldValues& values) {
  const auto selected = [&](Field field) {
    return std::ranges::any_of(columns, [&](const QueryColumn& column) {
      return !column.is_score && column.field.field == field;
    });
  };
  Json json = Json::object();
  for (const FieldInfo& info : AllFields()) {
    if (info.table != table) continue;
    if (selected(info.field)) {
      Json value = values.Get({info.field, {}});
      if (info.field == Field::kDocMeta && value.is_null()) continue;
      json[std::string(info.name)] = std::move(value);
    } else if (info.field == Field::kDocMeta && selected(Field::kDocMetaKey)) {
      json[std::string(info.name)] = SelectedMeta(columns, values);
    }
  }
  return json;
}

std::vector<QueryColumn> AllColumns(FieldTable table) {
  std::vector<QueryColumn> columns;
  for (const FieldInfo& info : AllFields()) {
    if (info.table == table) columns.push_back({false, {info.field, {}}, std::string(info.name)});
  }
  return columns;
}

}  // namespace

const Json& FieldValues::Meta() {
  if (!meta_) {
    meta_ = nullptr;
    if (doc_.meta_json) meta_ = Json::parse(*doc_.meta_json, nullptr, /*allow_exceptions=*/false);
    if (meta_->is_discarded()) meta_ = *doc_.meta_json;
  }
  return *meta_;
}

Json FieldValues::Get(const FieldRef& field) {
  if (field.field == Field::kDocMeta) return Meta();
  if (field.field == Field::kDocMetaKey) return Descend(Meta(), field.meta_path);
  if (InfoOf(field.field).table == FieldTable::kDoc) return DocField(doc_, field.field);
  return chunk_ == nullptr ? Json(nullptr) : ChunkField(*chunk_, field.field);
}

Json ToJson(const DocView& doc) {
  static const std::vector<QueryColumn> kColumns = AllColumns(FieldTable::kDoc);
  FieldValues values(doc);
  return SelectedFields(FieldTable::kDoc, kColumns, values);
}

Json ToJson(const ChunkView& chunk) {
  static const std::vector<QueryColumn> kColumns = AllColumns(FieldTable::kChunk);
  const DocView no_doc;
  FieldValues values(no_doc, &chunk);
  return SelectedFields(FieldTable::kChunk, kColumns, values);
}

Json RowJson(const std::vector<QueryColumn>& columns, const QueryRow& row) {
  FieldValues values(row.doc, row.chunk ? &*row.chunk : nullptr);
  Json json = Json::object();
  if (std::ranges::any_of(columns, &QueryColumn::is_score)) json["score"] = row.score;
  Json doc = SelectedFields(FieldTable::kDoc, columns, values);
  if (!doc.empty()) json["doc"] = std::move(doc);
  Json chunk = SelectedFields(FieldTable::kChunk, columns, values);
  if (values.has_chunk() && !chunk.empty()) json["chunk"] = std::move(chunk);
  return json;
}

}  // namespace recall
