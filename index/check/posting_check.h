#pragma once

#include "storage/check/check_run.h"

namespace recall {

// Holds the postings that lie ready (docs/format/store.md, "posting_set, posting_list") against the
// lexical index and the chunks' lengths, byte by byte. Memory: 6 bytes a chunk, and the
// postings of a word.
Status CheckPostingSets(CheckRun& run);

}  // namespace recall
