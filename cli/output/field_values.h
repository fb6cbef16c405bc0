#pragma once

// Documents, chunks and rows as JSON: which keys there are, in which order, of which type.

#include <optional>
#include <string>
#include <vector>

#include "cli/output/metadata_tree.h"
#include "query/types/search_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// The fields of one document, and of one of its chunks, by name: text, a number, an object
// (metadata), or null: what is not known, what a document has not, and every chunk field where
// there is no chunk. Cheap to make: metadata is parsed when it is first asked for. The views must
// outlive it.
class FieldValues final {
 public:
  explicit FieldValues(const DocView& doc, const ChunkView* chunk = nullptr)
      : doc_(doc), chunk_(chunk) {}

  void Write(const FieldRef& field, JsonWriter& json);
  // Text as it is, "" for null, else JSON on one line.
  std::string Text(const FieldRef& field);

  bool has_meta() { return !Meta().IsNull({}); }
  bool has_chunk() const { return chunk_ != nullptr; }

 private:
  const MetadataTree& Meta();
  template <typename Visit>
  void VisitPlain(Field field, Visit visit) const;

  const DocView& doc_;
  const ChunkView* chunk_;
  std::optional<MetadataTree> meta_;
};

// Every field in the catalogue's order; `meta` is absent when the document has none.
void WriteFields(const DocView& doc, JsonWriter& json);
void WriteFields(const ChunkView& chunk, JsonWriter& json);

// A row of a query: `score`, `doc` and `chunk` with the columns that were selected, in the
// catalogue's order, and nothing else. Keys of metadata lie in doc.meta, in the order of their
// paths. `chunk` is absent where there is no chunk.
void WriteFields(const std::vector<QueryColumn>& columns, const QueryRow& row, JsonWriter& json);

}  // namespace recall
