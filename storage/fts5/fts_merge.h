#pragma once

#include <cstdint>

#include "storage/base/result.h"

namespace recall {

class Connection;

// When runs of FTS5's index are merged, and how much of that one commit does.

// Merges levels that have sixteen runs and more into one run of the next level, in proportion to
// what was written: about eight times as many leaves, at least 128 (half a megabyte). A merge that
// is not complete then is continued by later calls. `written`: leaves of the new run. If fewer than
// 64 were written, levels of more than 2,048 leaves are left to commits that write more. A step
// ends between two words, so it may be longer by the postings of one word. If FTS5's format must
// not be relied on (SqliteFeatures), FTS5 merges while it writes rows (its settings `automerge` and
// `crisismerge`), and this function does nothing.
Status MergeFtsInProportion(Connection& connection, int64_t written);

// Performs one step, about 8 MiB, of merging all runs of the index into one. `first` begins a merge
// of all existing runs. Until the merge is complete, the terms of deleted rows remain in the file,
// each with a deletion mark. Returns: true if there is more to do.
Result<bool> MergeFts(Connection& connection, bool first);

}  // namespace recall
