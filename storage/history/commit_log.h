#pragma once

// Records of past commits, so that a reader can open the store as it was (docs/format/store.md,
// section 9): the table `commit_log`, and the horizon, below which removed versions have been
// purged.

#include <cstdint>
#include <optional>

#include "storage/base/clock.h"
#include "storage/base/result.h"
#include "storage/tables/store_facts.h"

namespace recall {

class Connection;

// One row of the table.
struct CommitRecord {
  StoreCounts counts;  // after the commit; counts.commit_sequence is its number
  UnixNanos committed_at = 0;
  int64_t next_chunk = 0;  // smallest chunk rowid that a later document can have
  int64_t last_doc = 0;    // greatest document row; those of later documents are above
};

// Adds the commit in progress. `record.last_doc` is ignored and read from the table of documents.
Status AppendCommit(Connection& connection, CommitRecord record);

// Returns nothing if the log does not contain the commit; Corruption if its numbers are impossible.
Result<std::optional<CommitRecord>> FindCommit(Connection& connection, int64_t sequence);

// When `sequence` was committed, or, if the log does not contain that commit any more, the oldest
// one it contains. Returns nothing for stores of formats before 3, which keep no history.
Result<std::optional<UnixNanos>> CommittedAt(Connection& connection, int64_t sequence);

// The oldest commit that can still be read. Returns nothing for stores of formats before 3, which
// keep no history.
Result<std::optional<int64_t>> ReadHorizon(Connection& connection);

// The oldest commit that was the newest one at `time` or later: the horizon that keeps every state
// since `time`. At least the present horizon, at most the present commit.
Result<int64_t> OldestCommitSince(Connection& connection, UnixNanos time);

// Deletes records that only commits before `sequence` need, and makes it the horizon. Never lowers
// the horizon. Returns: the number of commits that can no longer be read. The caller must purge the
// versions of documents that only they contained.
Result<int64_t> RaiseHorizon(Connection& connection, int64_t sequence);

// Starts the history of a store that had none, with the present commit.
Status BeginHistory(Connection& connection);

}  // namespace recall
