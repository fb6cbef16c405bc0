#pragma once

// The row that a field has in the table of fields (field_table.cc): where its values are, and what
// the value of a document or chunk is. The code that evaluates predicates, and the code that reads
// values for ORDER BY and SELECT, is chosen by the type of the column. A column of a new type does
// not compile until each of them handles it.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "index/search/filter/fields.h"
#include "index/search/filter/sort_value.h"
#include "index/source/extract/types/extraction.h"
#include "storage/documents/chunk_scan.h"
#include "storage/documents/document_store.h"
#include "storage/documents/live_scan.h"
#include "storage/notes/link_table.h"
#include "storage/notes/note_facts.h"
#include "storage/tables/symbol_table.h"

namespace recall {

// ---- Columns of documents -----------------------------------------------------------------------

struct DocIds {};  // look-ups by id
struct Mtimes {};  // the index on mtimes
struct IndexedTexts {
  IndexedText index;
  std::string_view by_index;  // the names of the two methods, for explain
  std::string_view by_scan;
};
struct MetadataValues {
  bool of_sessions;  // whether only sessions have a value
};

// A value in the row of a document. DocText and DocNumber are read by a scan of all documents.
struct DocColumn {
  std::variant<DocIds, Mtimes, IndexedTexts, MetadataValues, DocText, DocNumber> values;
  // The value of one document. `keys`: FieldRef::meta_path.
  SortValue (*value)(const DocRow& doc, const std::vector<std::string>& keys);
};

// ---- Computed columns of documents --------------------------------------------------------------

struct DocumentKind {};  // follows from the parser
// A value that follows from what is known of a note, or of a document that was used.
struct NoteFact {
  // NoteFacts() stands for a document of which nothing is known.
  SortValue (*value)(const NoteFacts& facts, UnixNanos now);
  bool depends_on_time;
  std::string_view method;  // for explain
};
// The links that leave a document (kSource) or reach it (kTarget).
struct LinksOfDocument {
  LinkEnd end;
  bool counted;  // their number, else the paths at the other end of those with one relation
};

struct ComputedColumn {
  std::variant<DocumentKind, NoteFact, LinksOfDocument> values;
};

// ---- Columns of chunks --------------------------------------------------------------------------

struct ChunkIds {};
struct ChunkDocIds {};
struct ChunkTexts {};
struct ChunkHeadings {};
// What the heading of a turn of a session says.
enum class TurnPart : uint8_t { kNumber, kRole, kTime };

// A value that every chunk has; of TurnPart, every chunk of a session that has such a heading.
struct ChunkColumn {
  std::variant<ChunkIds, ChunkDocIds, ChunkTexts, ChunkHeadings, ChunkNumber, TurnPart> values;
  // The value of one chunk of the document. Missing for ChunkTexts, which are not in the row.
  SortValue (*value)(const DocRow& doc, const ChunkRow& chunk);
};

// Values of the parts of a chunk, which may be several: of its definitions, or of the places that
// its text was extracted from.
struct PartColumn {
  std::variant<SymbolText, LocatorKind> values;
};

using FieldColumn = std::variant<DocColumn, ComputedColumn, ChunkColumn, PartColumn>;

const FieldColumn& FieldColumnOf(Field field);

// The value of a stored or session field; missing for computed fields and fields of parts, and for
// Field::kChunkText, because the text is not in the row. `chunk` may be null; then all fields of
// chunks are missing.
SortValue SortValueOf(const FieldRef& field, const DocRow& doc, const ChunkRow* chunk);

}  // namespace recall
