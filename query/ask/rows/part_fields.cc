#include "query/ask/rows/part_fields.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <variant>

#include "index/search/filter/part_value.h"
#include "storage/base/json_writer.h"
#include "storage/base/overloaded.h"

namespace recall {
namespace {

bool IsOfParts(const FieldRef& field) { return InfoOf(field.field).of_parts(); }

const PartColumn& PartColumnOf(Field field) { return std::get<PartColumn>(FieldColumnOf(field)); }

// A list like those of doc.link; "null" if there is no value.
std::string JsonListOf(const std::vector<SortValue>& values) {
  std::string text;
  JsonWriter json(&text);
  if (values.empty()) {
    json.Null();
    return text;
  }
  json.BeginArray();
  for (const SortValue& value : values) {
    value.kind == SortValue::Kind::kText ? json.String(value.text) : json.Int(value.integer);
  }
  json.EndArray();
  return text;
}

}  // namespace

Result<PartFields::Values> PartFields::PlacesOf(LocatorKind kind, const DocRow& doc, uint64_t start,
                                                uint64_t end) {
  RECALL_ASSIGN(const std::vector<LocatorSpan>* spans, locators_.SpansOf(doc));
  Values values;
  for (const LocatorSpan& span : SpansWithin(*spans, start, end)) {
    if (auto value = ValueOfPlace(kind, span.locator)) values.push_back(*std::move(value));
  }
  return values;
}

Status PartFields::AddSymbolsOf(SymbolText text, uint32_t chunk, Values* values) const {
  return texts_.ScanSymbols(chunk, [&](uint32_t, const Symbol& symbol) {
    values->push_back(ValueOfSymbol(text, symbol));
  });
}

Result<PartFields::Values> PartFields::ValuesOf(Field field, const DocRow& doc,
                                                const ChunkRow& chunk) {
  Values values;
  const auto read =
      Overloaded{[&](SymbolText text) { return AddSymbolsOf(text, chunk.row, &values); },
                 [&](LocatorKind kind) -> Status {
                   RECALL_ASSIGN(values, PlacesOf(kind, doc, chunk.start_byte, chunk.end_byte));
                   return Status::Ok();
                 }};
  RECALL_TRY(std::visit(read, PartColumnOf(field).values));
  SortValues(&values);
  return values;
}

Result<SortValue> PartFields::Read(const FieldRef& field, const DocRow& doc,
                                   const ChunkRow& chunk) {
  RECALL_ASSIGN(Values values, ValuesOf(field.field, doc, chunk));
  return values.empty() ? SortValue() : std::move(values.front());
}

Status PartFields::AddTo(ChunkView& view, const std::vector<FieldRef>& fields, const DocRow& doc,
                         const ChunkRow& chunk) {
  for (const FieldRef& field : fields) {
    if (!IsOfParts(field)) continue;
    RECALL_ASSIGN(const Values values, ValuesOf(field.field, doc, chunk));
    view.parts.push_back({field, JsonListOf(values)});
  }
  return Status::Ok();
}

Result<std::vector<ChunkRow>> PartFields::ChunksOf(const ChunkView& view, const DocRow& doc) const {
  if (!view.id.empty()) {
    RECALL_ASSIGN(std::vector<ChunkRow> chunks, texts_.FindChunksById(view.id, 2));
    std::erase_if(chunks, [&](const ChunkRow& chunk) { return chunk.doc_row != doc.row; });
    if (!chunks.empty()) return chunks;
  }
  RECALL_ASSIGN(std::vector<ChunkRow> chunks, texts_.ReadChunksOf(doc));
  std::erase_if(chunks, [&](const ChunkRow& chunk) {
    return chunk.end_byte <= view.start_byte || chunk.start_byte >= view.end_byte;
  });
  const auto same = std::ranges::find_if(chunks, [&](const ChunkRow& chunk) {
    return chunk.start_byte == view.start_byte && chunk.end_byte == view.end_byte;
  });
  if (same != chunks.end()) return std::vector<ChunkRow>{*same};
  return chunks;
}

Status PartFields::AddTo(ChunkView& view, const std::vector<FieldRef>& fields, const DocRow& doc) {
  std::optional<std::vector<ChunkRow>> chunks;
  Values values;
  const auto read =
      Overloaded{[&](SymbolText text) -> Status {
                   if (!chunks) {
                     RECALL_ASSIGN(chunks, ChunksOf(view, doc));
                   }
                   for (const ChunkRow& chunk : *chunks) {
                     RECALL_TRY(AddSymbolsOf(text, chunk.row, &values));
                   }
                   return Status::Ok();
                 },
                 [&](LocatorKind kind) -> Status {
                   RECALL_ASSIGN(values, PlacesOf(kind, doc, view.start_byte, view.end_byte));
                   return Status::Ok();
                 }};
  for (const FieldRef& field : fields) {
    if (!IsOfParts(field)) continue;
    values.clear();
    RECALL_TRY(std::visit(read, PartColumnOf(field.field).values));
    SortValues(&values);
    view.parts.push_back({field, JsonListOf(values)});
  }
  return Status::Ok();
}

bool AnyOfParts(const std::vector<FieldRef>& fields) {
  return std::ranges::any_of(fields, IsOfParts);
}

std::vector<FieldRef> PartsAmong(const std::vector<FieldRef>& fields) {
  std::vector<FieldRef> parts;
  std::ranges::copy_if(fields, std::back_inserter(parts), IsOfParts);
  return parts;
}

}  // namespace recall
