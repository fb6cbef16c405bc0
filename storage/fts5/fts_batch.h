#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"
#include "storage/fts5/fts_postings.h"

namespace recall {

class Connection;
class FtsRunWriter;

// Gathers encoded postings until they are written as one run of FTS5's index. FTS5 does the same
// for inserted rows, but here other threads have tokenised the texts and encoded the positions
// (docs/decisions/0025-runs-of-our-own.md). Belongs to one thread.
class FtsBatch final {
 public:
  // Adds postings whose row 0 is `first_row`. Requires: the rows are greater than those of the
  // batch and of the index.
  void Add(uint32_t first_row, const FtsPostings& postings);

  bool empty() const { return rows_ == 0; }
  // Approximate memory use.
  size_t bytes() const;

  // Writes everything to the index and empties the batch. Then runs of the index are merged, in
  // proportion to what was written (MergeFtsInProportion). If FTS5's format must not be relied on
  // (SqliteFeatures), inserts the texts of the rows instead, which is slower.
  // Requires: a write transaction, which must be rolled back after an error.
  Status Write(Connection& connection);

 private:
  // A distinct token.
  struct Entry {
    uint64_t hash = 0;
    uint32_t begin = 0;
    uint32_t size = 0;
  };
  // The list of one token in one FtsPostings.
  struct Piece {
    uint32_t entry = 0;
    uint32_t first_row = 0;
    uint32_t last_row = 0;
    uint32_t begin = 0;
    uint32_t size = 0;
  };

  // The rows and pieces of one call of Add; its pieces end where those of the next begin.
  struct Addition {
    uint32_t first_row = 0;
    uint32_t rows = 0;
    uint32_t first_piece = 0;
  };

  uint32_t FindOrAdd(std::string_view token, uint64_t hash);
  void GrowSlots();
  std::string_view TokenOf(uint32_t entry) const {
    return std::string_view(tokens_).substr(entries_[entry].begin, entries_[entry].size);
  }
  ByteSpan ListOf(const Piece& piece) const;
  std::vector<uint32_t> SortEntries() const;
  std::vector<Piece> SortPieces(const std::vector<uint32_t>& entries) const;
  void Prefetch(const std::vector<Piece>& pieces, size_t at) const;
  Status WriteLists(FtsRunWriter& writer) const;
  // Returns: the number of leaves written.
  Result<int64_t> WriteRun(Connection& connection) const;
  Status InsertRows(Connection& connection) const;

  std::vector<uint32_t> slots_;  // 1 + number of an entry, by hash; 0: free
  std::vector<Entry> entries_;
  std::vector<Piece> pieces_;
  std::vector<Addition> additions_;
  std::string tokens_;
  std::string bytes_;
  uint64_t rows_ = 0;
  uint64_t token_counts_[FtsPostings::kColumns] = {};
};

}  // namespace recall
