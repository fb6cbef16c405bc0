#pragma once

// The indexes against the chunks.

#include <cstddef>
#include <optional>
#include <vector>

#include "index/check/chunk_facts.h"
#include "storage/check/check_run.h"
#include "storage/check/document_check.h"
#include "storage/check/segment_scan.h"

namespace recall {

struct IndexCheckOptions {
  size_t threads = 1;
  const std::atomic<bool>* cancel = nullptr;
  CheckProgressFn progress;
};

// Whether this program can remake the store's indexes; forbids the repairs that it cannot make.
Status CheckRecipe(CheckRun& run, const StoreIdentity& identity, const IndexRecipe& recipe);

// The bitmap of removed chunks against removed documents, and how many these are.
Status CheckTombstones(CheckRun& run, const DocumentFacts& facts);

// Computes everything derived of every stored chunk again and compares: chunk rowids, token counts,
// lexicon, vectors, sign codes.
Status CheckIndexes(CheckRun& run, const DocumentFacts& facts,
                    const std::vector<CheckedSegment>& segments, const IndexRecipe& recipe,
                    const IndexCheckOptions& options);

}  // namespace recall
