#pragma once

// Compares the indexes of a store with its chunks.

#include <cstddef>
#include <optional>
#include <vector>

#include "index/write/check/chunk_facts.h"
#include "index/write/check/fulltext_check.h"
#include "storage/check/check_run.h"
#include "storage/check/document_check.h"
#include "storage/check/segment_scan.h"

namespace recall {

struct IndexCheckOptions {
  size_t threads = 1;
  const std::atomic<bool>* cancel = nullptr;
  CheckProgressFn progress;
};

// Checks whether this program can rebuild the store's indexes, and forbids the repairs that it
// cannot make.
Status CheckRecipe(CheckRun& run, const StoreIdentity& identity, const IndexRecipe& recipe);

// Compares the bitmap of removed chunks with the removed documents, and checks their number.
Status CheckTombstones(CheckRun& run, const DocumentFacts& facts);

// Checks every stored text, computes all derived data of every stored chunk again and compares it:
// chunk rows, token counts, vectors, sign codes, words. Returns what the full-text index must
// contain, if that is known. Requires: tables doc and chunk.
Result<std::optional<FulltextCheck>> CheckIndexes(CheckRun& run, const DocumentFacts& facts,
                                                  const std::vector<CheckedSegment>& segments,
                                                  const IndexRecipe& recipe,
                                                  const IndexCheckOptions& options);

}  // namespace recall
