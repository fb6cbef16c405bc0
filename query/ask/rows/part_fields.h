#pragma once

// Values of the fields of chunks that may be several, for ORDER BY and SELECT: the definitions of
// source code in a chunk, and the places of the file that its text was extracted from. They are the
// values that filters compare with (index/search/filter/part_value.h).

#include <cstdint>
#include <optional>
#include <vector>

#include "index/search/filter/field_table.h"
#include "index/search/filter/sort_value.h"
#include "index/search/snapshot/texts_and_facts.h"
#include "query/ask/rows/locators.h"

namespace recall {

// Errors of all functions: Corruption. Not thread-safe.
class PartFields final {
 public:
  // `texts` must outlive the object.
  explicit PartFields(const TextsAndFacts& texts) : texts_(texts), locators_(texts) {}
  PartFields(const PartFields&) = delete;
  PartFields& operator=(const PartFields&) = delete;

  // The smallest value, by which ORDER BY compares; kMissing if there is none. Requires: the field
  // is FieldInfo::of_parts, the chunk is one of the document.
  Result<SortValue> Read(const FieldRef& field, const DocRow& doc, const ChunkRow& chunk);
  // Adds the values of those of `fields` that are of parts to `view`: lists, sorted, each value
  // once.
  Status AddTo(ChunkView& view, const std::vector<FieldRef>& fields, const DocRow& doc,
               const ChunkRow& chunk);
  // The same of bytes of a document. They have the symbols of the chunk that `view` is, by its id
  // or its bytes, else those of all chunks that they overlap. Without an id all rows of the
  // document are read.
  Status AddTo(ChunkView& view, const std::vector<FieldRef>& fields, const DocRow& doc);

 private:
  using Values = std::vector<SortValue>;
  Result<Values> PlacesOf(LocatorKind kind, const DocRow& doc, uint64_t start, uint64_t end);
  Status AddSymbolsOf(SymbolText text, uint32_t chunk, Values* values) const;
  Result<std::vector<ChunkRow>> ChunksOf(const ChunkView& view, const DocRow& doc) const;
  Result<Values> ValuesOf(Field field, const DocRow& doc, const ChunkRow& chunk);

  const TextsAndFacts& texts_;
  LocatorReader locators_;
};

bool AnyOfParts(const std::vector<FieldRef>& fields);
// Those of `fields` that are of parts.
std::vector<FieldRef> PartsAmong(const std::vector<FieldRef>& fields);

}  // namespace recall
