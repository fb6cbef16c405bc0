#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "index/search/snapshot/texts_and_facts.h"
#include "query/types/row_views.h"
#include "query/types/store_summary.h"
#include "storage/documents/document_store.h"

namespace recall {

DocView MakeDocView(const DocRow& doc);

// Whether a document was read as source code.
inline bool IsSourceCode(const DocRow& doc) { return doc.parser == "code"; }

// Converts a row to a view; the text is left empty.
ChunkView MakeChunkView(const DocRow& doc, const ChunkRow& chunk);

// Returns: counts of the transaction's commit, and the present size of the file.
StoreSummary Summarize(const ReadTransaction& transaction, const Store& store,
                       const StoreCounts& counts);
// The same with the counts of all documents.
StoreSummary Summarize(const ReadTransaction& transaction, const Store& store);

// Reads rows of chunks and their documents in one snapshot. Each row is read once and kept.
// Not thread-safe.
class RowReader final {
 public:
  // `texts` must outlive the object.
  explicit RowReader(const TextsAndFacts& texts) : texts_(texts) {}
  RowReader(const RowReader&) = delete;
  RowReader& operator=(const RowReader&) = delete;

  struct Located {
    ChunkRow chunk;
    const DocRow* doc;  // owned by the reader
  };
  Result<Located> Read(uint32_t chunk_row);
  Result<const DocRow*> ReadDocument(int64_t doc_row);
  const TextsAndFacts& texts() const { return texts_; }

 private:
  const TextsAndFacts& texts_;
  std::unordered_map<uint32_t, ChunkRow> chunks_;
  std::unordered_map<int64_t, DocRow> docs_;
};

}  // namespace recall
