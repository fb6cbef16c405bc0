#include "query/rows/part_fields.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "index/filter/part_value.h"
#include "storage/base/json_writer.h"

namespace recall {
namespace {

bool IsOfParts(const FieldRef& field) { return InfoOf(field.field).of_parts(); }

bool IsOfSymbols(Field field) { return InfoOf(field).source == FieldSource::kSymbol; }

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

void PartFields::Enter(const DocRow& doc) {
  if (doc.row == doc_row_) return;
  doc_row_ = doc.row;
  locators_.emplace(texts_);
  symbols_.reset();
}

Result<PartFields::Values> PartFields::PlacesOf(Field field, const DocRow& doc, uint64_t start,
                                                uint64_t end) {
  RECALL_ASSIGN(const std::vector<LocatorSpan>* spans, locators_->SpansOf(doc));
  Values values;
  for (const LocatorSpan& span : SpansWithin(*spans, start, end)) {
    if (auto value = ValueOfPlace(field, span.locator)) values.push_back(*std::move(value));
  }
  return values;
}

Status PartFields::AddSymbolsOf(Field field, const DocRow& doc, uint32_t chunk, Values* values) {
  if (!symbols_) {
    symbols_.emplace();
    RECALL_TRY(texts_.ScanSymbols(doc, [this](uint32_t row, Symbol&& symbol) {
      (*symbols_)[row].push_back(std::move(symbol));
    }));
  }
  const auto found = symbols_->find(chunk);
  if (found == symbols_->end()) return Status::Ok();
  for (const Symbol& symbol : found->second) values->push_back(ValueOfSymbol(field, symbol));
  return Status::Ok();
}

Result<PartFields::Values> PartFields::ValuesOf(Field field, const DocRow& doc,
                                                const ChunkRow& chunk) {
  Enter(doc);
  Values values;
  if (IsOfSymbols(field)) {
    RECALL_TRY(AddSymbolsOf(field, doc, chunk.row, &values));
  } else {
    RECALL_ASSIGN(values, PlacesOf(field, doc, chunk.start_byte, chunk.end_byte));
  }
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

Status PartFields::AddTo(ChunkView& view, const std::vector<FieldRef>& fields, const DocRow& doc) {
  if (PartsAmong(fields).empty()) return Status::Ok();
  Enter(doc);
  RECALL_ASSIGN(std::vector<ChunkRow> chunks, texts_.ReadChunksOf(doc));
  std::erase_if(chunks, [&](const ChunkRow& chunk) {
    return chunk.end_byte <= view.start_byte || chunk.start_byte >= view.end_byte;
  });
  const auto same = std::ranges::find_if(chunks, [&](const ChunkRow& chunk) {
    return chunk.start_byte == view.start_byte && chunk.end_byte == view.end_byte;
  });
  if (same != chunks.end()) return AddTo(view, fields, doc, *same);
  for (const FieldRef& field : fields) {
    if (!IsOfParts(field)) continue;
    Values values;
    if (IsOfSymbols(field.field)) {
      for (const ChunkRow& chunk : chunks) {
        RECALL_TRY(AddSymbolsOf(field.field, doc, chunk.row, &values));
      }
    } else {
      RECALL_ASSIGN(values, PlacesOf(field.field, doc, view.start_byte, view.end_byte));
    }
    SortValues(&values);
    view.parts.push_back({field, JsonListOf(values)});
  }
  return Status::Ok();
}

std::vector<FieldRef> PartsAmong(const std::vector<FieldRef>& fields) {
  std::vector<FieldRef> parts;
  std::ranges::copy_if(fields, std::back_inserter(parts), IsOfParts);
  return parts;
}

}  // namespace recall
