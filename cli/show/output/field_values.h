#pragma once

// Documents, chunks and rows as JSON: the keys, their order and their types.

#include <optional>
#include <string>
#include <vector>

#include "cli/show/output/metadata_tree.h"
#include "query/types/query_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// The values of the fields of one document and of one of its chunks: text, a number, an object
// (metadata), a list (links), or null. A value is null if it is unknown, if the document does not
// have it, and for every chunk field if there is no chunk. Metadata is parsed when it is first
// needed. The views must outlive the object.
class FieldValues final {
 public:
  explicit FieldValues(const DocView& doc, const ChunkView* chunk = nullptr)
      : doc_(doc), chunk_(chunk) {}

  void Write(const FieldRef& field, JsonWriter& json);
  // Returns: text unchanged, "" for null, else JSON on one line.
  std::string Text(const FieldRef& field);

  bool has_meta() { return !Meta().IsNull({}); }
  // Whether the document has a language; older stores have none, and their answers no key for it.
  bool has_lang() const { return doc_.lang.has_value(); }
  bool has_chunk() const { return chunk_ != nullptr; }

 private:
  const MetadataTree& Meta();
  const MetadataTree& SessionMeta();  // null if the document is no session
  template <typename Visit>
  void VisitValue(const FieldRef& field, const Visit& visit);

  const DocView& doc_;
  const ChunkView* chunk_;
  std::optional<MetadataTree> meta_;
};

// Returns: the exact citation of a chunk, or of a whole document if `chunk` is null; "" if the hash
// of the lines was not read.
std::string CitationOf(const DocView& doc, const ChunkView* chunk);

// Write every field in the order of the catalogue (AllFields); `meta` is omitted if the document
// has none.
void WriteFields(const DocView& doc, JsonWriter& json);
// Writes the member `source_state` if the source of the document is not what was added.
void WriteSourceState(const DocView& doc, JsonWriter& json);
void WriteFields(const ChunkView& chunk, JsonWriter& json);
// The member `locator`, of a text that was extracted from a file of another format.
void WriteLocator(const ChunkView& chunk, JsonWriter& json);

// Writes a row of a query: `score`, `doc` and `chunk` with the selected columns only, in the order
// of the catalogue. Selected keys of metadata are in doc.meta, in the order of their paths. `chunk`
// is omitted if there is no chunk.
void WriteFields(const std::vector<QueryColumn>& columns, const QueryRow& row, JsonWriter& json);

}  // namespace recall
