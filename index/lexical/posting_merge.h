#pragma once

#include <cstdint>
#include <vector>

#include "index/filter/bitmap.h"
#include "storage/sqlite/fts_index.h"

namespace recall {

// The union of posting lists: rows ascending, each once, counts added.
PostingList MergePostings(std::vector<PostingList> lists);

// Answers many membership questions about rows first..last of a bitmap: from a copy as plain bits
// when that pays, else from the bitmap itself.
class RowFilter final {
 public:
  // Null: holds nothing. `questions`: about how many will be asked.
  RowFilter(const Bitmap* rows, uint32_t first, uint32_t last, uint64_t questions);

  // Requires: row in first..last.
  bool Contains(uint32_t row) const {
    if (!bits_.empty()) return bits_[(row - first_) / 64] >> ((row - first_) % 64) & 1;
    return rows_ && rows_->Contains(row);
  }

 private:
  const Bitmap* rows_;
  uint32_t first_;
  std::vector<uint64_t> bits_;
};

}  // namespace recall
