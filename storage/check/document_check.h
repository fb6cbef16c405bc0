#pragma once

// Checks of primary rows (documents, chunks and their text) and of the sums over them in meta.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "storage/base/ids.h"
#include "storage/check/check_run.h"
#include "storage/check/checked_documents.h"
#include "storage/documents/document_store.h"
#include "storage/tables/content_sizes.h"
#include "storage/tables/meta_table.h"

namespace recall {

class Connection;

// The settings the store was made with; nothing if they are missing or invalid.
Result<std::optional<StoreIdentity>> CheckIdentity(CheckRun& run);

// Compares the rows of doc, chunk and text_block. The texts themselves are checked by text_check.h.
Result<DocumentFacts> CheckDocuments(CheckRun& run);

// Checks user-supplied embeddings. If one is damaged, the copy in the segments is the only one
// left, so a repair of the vectors is forbidden.
Status CheckSuppliedVectors(CheckRun& run);

// Compares meta's counters with the documents.
Status CheckCounters(CheckRun& run, const DocumentFacts& facts);

// Compares the sizes of contents that the newest commit recorded with the tables. Contents that
// cannot be read are left to other checks. Errors: those that end an examination.
Result<std::vector<WrongContentSize>> CheckContentSizes(CheckRun& run);

// Compares meta.snapshot_horizon, commit_log and doc_past with the documents. Sets facts->horizon.
Status CheckHistory(CheckRun& run, DocumentFacts* facts);

// Compares doc_meta with the metadata of live documents.
Status CheckMetadataIndex(CheckRun& run);

// The existing chunks of a document, by row. Invalid rows are left out.
Result<std::vector<ChunkRow>> ReadCheckedChunks(Connection& connection, const CheckedDoc& doc);

// The metadata of a document; nothing if there is none, or if it is not text.
Result<std::optional<std::string>> ReadCheckedMeta(Connection& connection, const CheckedDoc& doc);

// Repairs, each inside a write transaction. Counters are sums over doc's columns, so they are
// repaired last.
Status RepairKeys(Connection& connection);
Status RepairMetadataIndex(Connection& connection);
Status RepairCounters(Connection& connection);
// Restarts the history with the present commit. Requires: correct counters.
Status RepairHistory(Connection& connection);

}  // namespace recall
