#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

class Connection;

// The sorted runs that make up FTS5's index, by level: sixteen of one are merged into one of the
// next. Leaves are rows of lexicon_data of some kilobytes.
struct FtsRun {
  int64_t id = 0;
  int64_t first_leaf = 0;
  int64_t last_leaf = 0;
};
struct FtsLevel {
  int64_t merging = 0;       // how many of its runs a merge in progress takes in
  std::vector<FtsRun> runs;  // oldest first; those of higher levels are older
  int64_t leaves() const;
};

// From level 0 on. Corruption when the list of runs makes no sense.
Result<std::vector<FtsLevel>> ReadFtsLevels(Connection& connection);

// FTS5's runs, oldest first, for those who read its tables themselves. Nothing when FTS5 must be
// asked instead: within a write transaction, of which it holds what nobody else can see, or when
// the index is of another version than we know. Needs an open transaction.
Result<std::optional<std::vector<FtsRun>>> ReadableFtsRuns(Connection& connection);

// Lets go of empty levels below all runs, where there are very many. FTS5 (of SQLite 3.40) makes a
// new level with every complete merge, forgets none, and finds an index of more than 2000 damaged.
// Corruption as above. Requires: a write transaction.
Status DropEmptyFtsLevels(Connection& connection);

// Makes FTS5 write what it has in hand, and forget what it remembers of its tables: to be called
// before anybody else changes them. Requires: a write transaction.
Status MakeFtsForget(Connection& connection);

// As long as it lives FTS5's tables can be written, which SQLite otherwise leaves to FTS5.
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

// How large FTS5 is to make leaves (`pgsz`).
Result<size_t> ReadFtsLeafBytes(Connection& connection);

// An id that no run has. LimitExceeded when there are as many runs as FTS5 allows.
Result<int64_t> FindFreeFtsRunId(Connection& connection);

// From now on the run counts: the youngest of all. Requires: FtsTablesAccess; leaves.
Status AddFtsRun(Connection& connection, const FtsRun& run);

// What FTS5 keeps for its own bm25(): how many rows there are, and tokens in each column.
// Requires: FtsTablesAccess.
Status AddToFtsTotals(Connection& connection, uint64_t rows, std::span<const uint64_t> tokens);

// Empties the list of runs of an index that is then dropped, in the same write transaction: FTS5
// lets nobody even drop an index whose list makes no sense, or that lacks one of its tables.
Status EmptyFtsForDrop(Connection& connection);

}  // namespace recall
