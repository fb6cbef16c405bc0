#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "storage/fts5/posting.h"

namespace recall {

// Decodes the postings of one token in one run of FTS5's index, which lie behind each other on one
// leaf or several (SQLite's ext/fts5/fts5_index.c, "TERM/DOCLIST FORMAT" and "PAGE FORMAT"):
//
//   varint  row: of the first one on a leaf the number itself, of others what it is more than the
//           last one
//   varint  2 * bytes of positions, + 1 when the row is deleted from older runs
//   bytes   positions, which may go on on the next leaf: a varint each, and 01 and the number of
//           the column before those of a column other than the first
//
// Rows must ascend and be chunk rowids. A row without positions is one that was deleted.
class FtsDoclist final {
 public:
  // Which rows are wanted, and whose positions are counted.
  enum class Columns : uint8_t { kAll, kFirst };
  struct Part {
    uint32_t first_row = 0;
    uint32_t last_row = std::numeric_limits<uint32_t>::max();
    Columns columns = Columns::kAll;
  };
  // Appends to `list`, a deleted row with the count 0.
  explicit FtsDoclist(PostingList* list) : list_(list) {}
  FtsDoclist(PostingList* list, const Part& part) : list_(list), part_(part) {}

  // Positions at the beginning of a leaf, of the row that the last leaf has begun. False: these
  // bytes are something else.
  bool ReadRest(const uint8_t* begin, const uint8_t* end);
  // What comes next is a leaf further on, not the next one. Requires: what was read so far, and
  // what lies between, is not wanted.
  void PassOver() {
    missing_ = 0;
    column_follows_ = false;
    passes_over_rest_ = true;
  }
  // Rows up to the end of what the leaf has of the list. False: these bytes are something else.
  bool ReadRows(const uint8_t* begin, const uint8_t* end);
  // True when the last row has all its positions, or no more rows are wanted.
  bool complete() const { return done() || (missing_ == 0 && !column_follows_); }
  // True when no more rows are wanted: nothing else is looked at.
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
  uint32_t count_ = 0;             // positions of the row so far
  uint64_t missing_ = 0;           // bytes of positions that are to come
  bool column_follows_ = false;    // the last number was 01
  bool counts_ = true;             // whether positions here do
  bool passes_over_rest_ = false;  // of the next leaf: its row was not begun here
};

}  // namespace recall
