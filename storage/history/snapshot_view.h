#pragma once

// The store as an older commit left it, for the length of one read transaction.

#include "storage/base/result.h"
#include "storage/history/commit_log.h"
#include "storage/history/snapshot_rows.h"

namespace recall {

class Connection;

// Creates temporary views named `doc`, `doc_meta`, `card`, `link`, `use_log`, `review_log` and
// `activity`, which hide the tables. Every statement of
// this connection then sees documents as they were after `commit`: versions added since are left
// out, those removed since are live, and mtime, tag, source, metadata and origin have their former
// values. The views vanish when the transaction ends. Takes time in proportion to the versions
// changed since. Requires: an open transaction; a commit not below the horizon.
Result<SnapshotRows> OpenSnapshotView(Connection& connection, const CommitRecord& commit,
                                      int64_t present_next_chunk);

}  // namespace recall
