#pragma once

// What is kept of past commits, so that a reader can ask for the store as it was
// (docs/format/store.md, section 9): the table `commit_log`, and the horizon below which versions
// have been purged.

#include <cstdint>
#include <optional>

#include "storage/base/clock.h"
#include "storage/base/result.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/store_facts.h"

namespace recall {

// One commit, as the table holds it.
struct CommitRecord {
  StoreCounts counts;  // after it; counts.commit_sequence is its number
  UnixNanos committed_at = 0;
  int64_t next_chunk = 0;  // every chunk rowid of a later document is this or above
  int64_t last_doc = 0;    // every row of a later document is above
};

// Adds the commit in progress. `record.last_doc` is looked up.
Status AppendCommit(Connection& connection, CommitRecord record);

// Nothing when the log does not hold it; Corruption when its numbers are impossible.
Result<std::optional<CommitRecord>> FindCommit(Connection& connection, int64_t sequence);

// The oldest commit that can still be read. Nothing in a store of a version before 3, which keeps
// no history.
Result<std::optional<int64_t>> ReadHorizon(Connection& connection);

// The oldest commit that was the newest one at `time` or later: what a promise to keep every state
// since `time` needs. At least the horizon, at most the present commit.
Result<int64_t> OldestCommitSince(Connection& connection, UnixNanos time);

// Forgets what only commits before `sequence` need, and makes it the horizon. Never lowers it.
// Returns: how many commits can no longer be read. The versions they saw are the caller's to purge.
Result<int64_t> RaiseHorizon(Connection& connection, int64_t sequence);

// For a store that had no history: it begins with the present commit.
Status BeginHistory(Connection& connection);

}  // namespace recall
