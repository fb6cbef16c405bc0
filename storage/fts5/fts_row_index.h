#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// The index into one long list of postings that FTS5 calls a doclist index: the first row of each
// leaf that the list goes on to, so that a row is found without reading all of them. A small b-tree
// (SQLite's ext/fts5/fts5_index.c, "Segment doclist indexes"), of pages that lie among the leaves:
//
//   byte    1, but 0 for the root
//   varint  leaf (or page of the level below) that comes first
//   varint  the first row there
//   varint  of each further one how much more its first row is; 0 of a leaf without any
class FtsRowIndex final {
 public:
  // Takes a finished page. `row` is its lexicon_data.id.
  using Write = std::function<Status(int64_t row, std::string_view page)>;

  FtsRowIndex(int64_t run, size_t page_bytes, Write write);

  // A list begins on this leaf; of the one before nothing is kept.
  void Begin(int64_t leaf);
  // It goes on to `leaf`, whose first row this is.
  Status AddLeaf(int64_t leaf, uint32_t row);
  // It goes on to a leaf on which no row begins.
  void AddLeafWithoutRow();
  // No more leaves. Requires: IsWorthIt().
  Status Finish();
  // True for a list that goes on to a few leaves with nothing else; FTS5 reads others through.
  bool IsWorthIt() const { return leaves_ >= kFewestLeaves && !levels_[0].page.empty(); }
  // A leaf with nothing but the list has been written.
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
