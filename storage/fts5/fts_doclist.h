#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "storage/fts5/posting.h"

namespace recall {

// Decodes the postings of one token in one run of FTS5's index: a list of rows on one leaf or on
// several consecutive ones (SQLite's ext/fts5/fts5_index.c, "TERM/DOCLIST FORMAT" and "PAGE
// FORMAT"):
//
//   varint  row: its number for the first one on a leaf; for others the difference to the last one
//   varint  2 * bytes of positions, + 1 if the row is deleted from older runs
//   bytes   positions, which may continue on the next leaf: a varint each; positions of a column
//           other than the first are preceded by 01 and the number of the column
//
// Rows must ascend and be chunk rowids. A row without positions is deleted.
class FtsDoclist final {
 public:
  // The rows to read, and the columns whose positions are counted.
  enum class Columns : uint8_t { kAll, kFirst };
  struct Part {
    uint32_t first_row = 0;
    uint32_t last_row = std::numeric_limits<uint32_t>::max();
    Columns columns = Columns::kAll;
  };
  // Appends the postings to `list`; a deleted row has the count 0.
  explicit FtsDoclist(PostingList* list) : list_(list) {}
  FtsDoclist(PostingList* list, const Part& part) : list_(list), part_(part) {}

  // Reads positions at the beginning of a leaf that belong to a row begun on the last leaf. Returns
  // false if the bytes are damaged.
  bool ReadRest(const uint8_t* begin, const uint8_t* end);
  // Announces that the next leaf read is not the one that follows. Requires: neither the rows read
  // so far nor those skipped are within the requested part.
  void PassOver() {
    missing_ = 0;
    column_follows_ = false;
    passes_over_rest_ = true;
  }
  // Reads rows up to the end of the list's bytes on this leaf. Returns false if the bytes are
  // damaged.
  bool ReadRows(const uint8_t* begin, const uint8_t* end);
  // True if the last row has all its positions, or if no more rows are requested.
  bool complete() const { return done() || (missing_ == 0 && !column_follows_); }
  // True if no more rows are requested; further bytes are ignored.
  bool done() const { return row_ > part_.last_row; }

 private:
  const uint8_t* ReadShortRows(const uint8_t* at, const uint8_t* end);
  std::optional<uint32_t> CountOneByOne(const uint8_t* at, const uint8_t* end);
  const uint8_t* CountPositions(const uint8_t* at, const uint8_t* end);
  bool wanted() const { return row_ >= part_.first_row; }
  void Append() {
    if (wanted()) list_->push_back({static_cast<uint32_t>(row_), count_});
  }

  PostingList* list_;
  Part part_;
  int64_t row_ = -1;
  uint32_t count_ = 0;             // positions of the current row so far
  uint64_t missing_ = 0;           // bytes of positions that follow on the next leaves
  bool column_follows_ = false;    // the last varint was 01
  bool counts_ = true;             // whether positions of the current column count
  bool passes_over_rest_ = false;  // ignore the rest of a row at the start of the next leaf
};

}  // namespace recall
