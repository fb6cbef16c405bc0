#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// The index of one long list of postings, which FTS5 calls a doclist index. It contains the first
// row of each leaf on which the list continues, so that a row is found without reading all leaves.
// It is a small b-tree (SQLite's ext/fts5/fts5_index.c, "Segment doclist indexes"). Its pages are
// stored in lexicon_data among the leaves:
//
//   byte    1; 0 for the root
//   varint  number of the first leaf (or page of the level below)
//   varint  the first row on it
//   varint  of each further leaf or page the difference of its first row to the last; 0 for a leaf
//           on which no row begins
class FtsRowIndex final {
 public:
  // Receives a finished page. `row` is its lexicon_data.id.
  using Write = std::function<Status(int64_t row, std::string_view page)>;

  FtsRowIndex(int64_t run, size_t page_bytes, Write write);

  // A list begins on this leaf. Discards the index of the list before.
  void Begin(int64_t leaf);
  // The list continues on `leaf`, whose first row is `row`.
  Status AddLeaf(int64_t leaf, uint32_t row);
  // The list continues on a leaf on which no row begins.
  void AddLeafWithoutRow();
  // Writes the pages of the list. Requires: IsWorthIt().
  Status Finish();
  // True if the list fills at least kFewestLeaves leaves alone; FTS5 reads shorter lists without an
  // index.
  bool IsWorthIt() const { return leaves_ >= kFewestLeaves && !levels_[0].page.empty(); }
  // Counts a written leaf that contains nothing but the list.
  void CountLeaf() { ++leaves_; }

 private:
  static constexpr int64_t kFewestLeaves = 4;
  struct Level {
    std::string page;
    int64_t number = 0;  // of the page
    uint32_t last_row = 0;
  };
  Status WritePage(size_t level);

  const int64_t run_;
  const size_t page_bytes_;
  const Write write_;
  std::vector<Level> levels_;
  int64_t leaves_ = 0;
};

}  // namespace recall
