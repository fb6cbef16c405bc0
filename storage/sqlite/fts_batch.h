#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"
#include "storage/sqlite/fts_postings.h"

namespace recall {

class Connection;

// Gathers postings until they become a run of FTS5's index: what FTS5 does itself with rows that
// are inserted, but with the texts taken apart, and the positions of each document's tokens encoded,
// by others (docs/decisions/0025-runs-of-our-own.md). Belongs to one thread.
class FtsBatch final {
 public:
  // Rows from `first_row` on. Requires: beyond those of the batch and of the index.
  void Add(uint32_t first_row, const FtsPostings& postings);

  bool empty() const { return rows_ == 0; }
  // About how much memory it takes.
  size_t bytes() const;

  // Adds all to the index, and is empty then. Where a level of the index has sixteen runs, they
  // become one of the next. Requires: a write transaction; after an error it must be rolled back.
  Status Write(Connection& connection);

 private:
  // A token, and the last of its pieces.
  struct Entry {
    uint64_t hash = 0;
    uint64_t order = 0;  // the token's first bytes as a number
    uint32_t token_begin = 0;
    uint32_t token_size = 0;
    uint32_t last_piece = 0;
  };
  // What one FtsPostings had of a token.
  struct Piece {
    uint32_t before = 0;  // 1 + number of the piece before it; 0: the first
    uint32_t first_row = 0;
    uint32_t last_row = 0;
    uint32_t begin = 0;
    uint32_t size = 0;
  };

  Entry& FindOrAdd(std::string_view token, uint64_t hash);
  void GrowSlots();
  std::string_view TokenOf(const Entry& entry) const {
    return std::string_view(tokens_).substr(entry.token_begin, entry.token_size);
  }
  void Sort();
  Status WriteRun(Connection& connection);
  void Clear();

  std::vector<uint32_t> slots_;  // 1 + number of an entry, by hash; 0: free
  std::vector<Entry> entries_;
  std::vector<Piece> pieces_;
  std::string tokens_;
  std::string bytes_;
  uint64_t rows_ = 0;
  uint64_t token_counts_[FtsPostings::kColumns] = {};
};

}  // namespace recall
