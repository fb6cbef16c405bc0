#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "storage/base/result.h"
#include "storage/fts5/fts_levels.h"

namespace recall {

class Connection;

// Returns the levels, from 0 on. Corruption if the list of runs is damaged.
Result<std::vector<FtsLevel>> ReadFtsLevels(Connection& connection);

// Compares the list of runs with what FTS5 writes for these runs. Corruption if they differ: in
// their number, in the bytes after the last run, or in a merge that cannot be in progress.
Status CheckFtsRunsRecord(Connection& connection);

// Whether the index has the version of the format that Recall reads and writes itself.
Result<bool> HasKnownFtsVersion(Connection& connection);

// Returns FTS5's runs, oldest first, for code that reads its tables directly. Returns nothing if
// FTS5 must be used instead: in a write transaction, because FTS5 may have pending rows in memory,
// if the index has an unknown version, and if its format must not be relied on (SqliteFeatures).
// Requires: an open transaction.
Result<std::optional<std::vector<FtsRun>>> ReadableFtsRuns(Connection& connection);

// Removes the empty levels below all runs if there are very many. FTS5 (SQLite 3.40) adds a level
// with every complete merge, removes none, and reports an index of more than 2000 levels as
// damaged. Does nothing if the format must not be relied on (SqliteFeatures): newer
// versions of FTS5 keep at most 64 levels. Corruption as above. Requires: a write transaction.
Status DropEmptyFtsLevels(Connection& connection);

// Makes FTS5 write its pending rows and discard its cached list of runs. Must be called before
// other code changes FTS5's tables. Requires: a write transaction.
Status FlushFtsCache(Connection& connection);

// Allows writes to FTS5's tables, which SQLite's defensive mode forbids, during its lifetime.
class FtsTablesAccess final {
 public:
  explicit FtsTablesAccess(Connection& connection);
  ~FtsTablesAccess();
  FtsTablesAccess(const FtsTablesAccess&) = delete;
  FtsTablesAccess& operator=(const FtsTablesAccess&) = delete;

 private:
  Connection& connection_;
};

// Writes a row of lexicon_data. Requires: FtsTablesAccess.
Status WriteFtsBlock(Connection& connection, int64_t id, std::string_view block);

// The size of a leaf in bytes that FTS5 is configured for (`pgsz`).
Result<size_t> ReadFtsLeafBytes(Connection& connection);

// Returns an id that no run has. LimitExceeded if there are as many runs as FTS5 allows.
Result<int64_t> FindFreeFtsRunId(Connection& connection);

// Adds the run to the index, as its youngest one, and lifts runs to the levels of their sizes
// (LiftFtsRuns). Requires: FtsTablesAccess; a run with leaves.
Status AddFtsRun(Connection& connection, const FtsRun& run);

// Adds to the totals that FTS5 keeps for its own bm25(): the number of rows, and of tokens in each
// column. Requires: FtsTablesAccess.
Status AddToFtsTotals(Connection& connection, uint64_t rows, std::span<const uint64_t> tokens);

// Makes it possible to drop a damaged index, in the same write transaction: FTS5 refuses to drop an
// index whose list of runs is damaged, or that lacks one of its tables. Replaces the list by an
// empty one and creates missing tables. If the format must not be relied on (SqliteFeatures), only
// asks FTS5 to empty the index; one that lacks a table then cannot be dropped.
Status EmptyFtsForDrop(Connection& connection);

}  // namespace recall
