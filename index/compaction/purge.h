#pragma once

// Deleting for good what removed versions left in the store, in steps that are each a valid store:
// first their vectors, then their rows, text and postings. In between they are removed versions
// without vectors, which nothing asks for.

#include <cstdint>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/vector_space/vector_space.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

struct PurgeReport {
  int64_t docs = 0;
  int64_t chunks = 0;
};

// Chunk rowids of the versions that were removed by commit `sequence` or before.
Result<Bitmap> RemovedChunks(const ReadTransaction& transaction, int64_t sequence);

// Deletes some of these versions, oldest first, and adds what it deleted to the report: about
// 1000 documents, or 16 MiB of their text. Their postings leave the file when the lexicon is
// merged; damage in their chunks or text is no obstacle. Requires: no vector of theirs is left.
// Returns: true when there may be more.
Result<bool> PurgeDocuments(WriteTransaction& transaction, int64_t sequence, PurgeReport* report);

}  // namespace recall
