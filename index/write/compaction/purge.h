#pragma once

// Permanent deletion of removed versions, in steps that each leave a valid store: first their
// vectors, then their rows, text and postings. In between they are removed versions without
// vectors, which no query reads.

#include <cstdint>
#include <vector>

#include "index/embed/vector_space/vector_space.h"
#include "index/search/bitmap/bitmap.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

struct PurgeReport {
  int64_t docs = 0;
  int64_t chunks = 0;
};

// The chunk rowids of the versions that were removed by commit `sequence` or before.
Result<Bitmap> RemovedChunks(const ReadTransaction& transaction, int64_t sequence);

// Deletes some of these versions, oldest first, and adds the numbers to the report: about 1000
// documents, or 16 MiB of their text. Their postings leave the file when the full-text index is
// merged. `forget`: also forget their paths, with uses, reviews and links, where no live document
// has the path. Damaged chunks or text do not prevent the purge. Requires: their vectors are
// deleted. Returns: true if there may be more.
Result<bool> PurgeDocuments(WriteTransaction& transaction, int64_t sequence, bool forget,
                            PurgeReport* report);

}  // namespace recall
