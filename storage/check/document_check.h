#pragma once

// The primary rows: documents, chunks and their text; and what is summed up in meta.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "storage/base/ids.h"
#include "storage/check/check_run.h"
#include "storage/document_store.h"
#include "storage/meta_table.h"

namespace recall {

// A stored version whose row makes sense.
struct CheckedDoc {
  int64_t row = 0;
  Digest id{};
  uint32_t first_chunk = 0;
  uint32_t chunk_count = 0;
  int64_t first_block = 0;
  int64_t size = 0;
  int64_t tokens = 0;  // as stored
  int64_t lexical_tokens = 0;
  int64_t added = 0;  // commits
  std::optional<int64_t> removed;
  bool imported = false;  // the text was put together from chunks
  bool text_ok = false;   // every block is there, and they give the hash

  bool live() const { return !removed; }
};

// What the documents say of the store as a whole.
struct DocumentFacts {
  std::vector<CheckedDoc> docs;  // by first chunk row, then row
  int64_t live_docs = 0;
  int64_t removed_docs = 0;
  int64_t live_chunks = 0;
  int64_t removed_chunks = 0;
  bool all_read = false;  // `docs` leaves out no row
  // The oldest commit that can be read; what only older ones saw may be half purged.
  int64_t horizon = std::numeric_limits<int64_t>::max();

  bool NeedsVectors(const CheckedDoc& doc) const { return doc.live() || *doc.removed > horizon; }
};

// What the store was made with; nothing where it is missing or makes no sense.
Result<std::optional<StoreIdentity>> CheckIdentity(CheckRun& run);

// Rows of doc, chunk and text_block against each other, and every text against its hash.
Result<DocumentFacts> CheckDocuments(CheckRun& run);

// Vectors that came with documents. What the segments hold of a damaged one is all there is of it,
// so vectors are not made again then.
Status CheckGivenVectors(CheckRun& run);

// meta's counters against the documents.
Status CheckCounters(CheckRun& run, const DocumentFacts& facts);

// meta.snapshot_horizon, commit_log and doc_past against the documents. Sets facts->horizon.
Status CheckHistory(CheckRun& run, DocumentFacts* facts);

// doc_meta against live documents' metadata.
Status CheckMetadataIndex(CheckRun& run);

// The chunks of a document that are there, by row. Rows that make no sense are left out.
Result<std::vector<ChunkRow>> ReadCheckedChunks(Connection& connection, const CheckedDoc& doc);
// The whole text. Requires: doc.text_ok.
Result<std::string> ReadCheckedText(Connection& connection, const CheckedDoc& doc);

// Repairs, each inside a write transaction. Counters are summed up from doc's columns, so they come
// after these.
Status RepairKeys(Connection& connection);
Status RepairMetadataIndex(Connection& connection);
Status RepairCounters(Connection& connection);
// History begins anew with the present commit. Requires: right counters.
Status RepairHistory(Connection& connection);

}  // namespace recall
