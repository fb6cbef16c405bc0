#pragma once

// Documents, chunks and rows as JSON: which keys there are, in which order, of which type.

#include <string_view>
#include <vector>

#include "cli/output/json.h"
#include "query/types/search_types.h"

namespace recall {

// The fields of one document, and of one of its chunks, by name. Cheap to make: metadata is parsed
// when it is first asked for. The views must outlive it.
class FieldValues final {
 public:
  explicit FieldValues(const DocView& doc, const ChunkView* chunk = nullptr)
      : doc_(doc), chunk_(chunk) {}

  // Text, a number, an object (metadata), or null: what is not known, what a document has not, and
  // every chunk field where there is no chunk.
  Json Get(const FieldRef& field);
  bool has_chunk() const { return chunk_ != nullptr; }

 private:
  const Json& Meta();

  const DocView& doc_;
  const ChunkView* chunk_;
  std::optional<Json> meta_;
};

// Every field in the catalogue's order; `meta` is absent when the document has none.
Json ToJson(const DocView& doc);
Json ToJson(const ChunkView& chunk);

// A row of a query: `score`, `doc` and `chunk` with the columns that were selected, in the
// catalogue's order, and nothing else. Keys of metadata lie in doc.meta, in the order of their
// paths. `chunk` is absent where there is no chunk.
Json RowJson(const std::vector<QueryColumn>& columns, const QueryRow& row);

}  // namespace recall
