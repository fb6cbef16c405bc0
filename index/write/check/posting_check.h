#pragma once

#include "storage/check/check_run.h"

namespace recall {

// Compares the precomputed posting lists (docs/format/store.md, "posting_set, posting_list") with
// the full-text index and the lengths of chunks, byte by byte. Memory: 6 bytes for each chunk, and
// the postings of a word.
Status CheckPostingSets(CheckRun& run);

}  // namespace recall
