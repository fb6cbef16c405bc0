#pragma once

// The primary rows: documents, chunks and their text; and what is summed up in meta.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "storage/base/ids.h"
#include "storage/check/check_run.h"
#include "storage/check/checked_documents.h"
#include "storage/documents/document_store.h"
#include "storage/tables/meta_table.h"

namespace recall {

// What the store was made with; nothing where it is missing or makes no sense.
Result<std::optional<StoreIdentity>> CheckIdentity(CheckRun& run);

// Rows of doc, chunk and text_block against each other, and every text against its hash.
Result<DocumentFacts> CheckDocuments(CheckRun& run);

// Vectors that came with documents. What the segments hold of a damaged one is all there is of it,
// so vectors are not made again then.
Status CheckSuppliedVectors(CheckRun& run);

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
