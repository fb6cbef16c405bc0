#include "storage/fts5/fts_row_index.h"

#include <utility>

#include "storage/base/varint.h"
#include "storage/fts5/fts_leaf.h"

namespace recall {
namespace {

// The problem: a common token has a list of many leaves. A reader that needs the rows from some
// number on, or in descending order, must not read all of them.
//
// The idea (FTS5's "doclist index"): for each list that fills at least four leaves, store the first
// row of every leaf. Rows and leaves ascend, so a page stores the first pair and then differences.
// Pages have the size of a leaf; when one is full, its first row goes to a page of the level above:
//
//   level 1, the root       | 0 | page 6 | row 10 | +8990 |
//                                    |                 |
//   level 0   page 6 | 1 | leaf 7 | row 10 | +300 | ...    page 7 | 1 | leaf 1907 | row 9000 | ...
//                          |                 |                              |
//   leaves               leaf 7            leaf 8                       leaf 1907
//
// Invariants: FTS5 finds a page without a pointer to it. The id of a page is that of the leaf with
// the number `number`, plus kIndexMark and the level, where `number` is that of the leaf on which
// the list begins (6 above) for the first page of a level, and one more for each further page. A
// leaf must have exactly one entry, even if no row begins on it (a 0), because the position in the
// page determines the leaf. The root is the only page whose first byte is 0.
//
// Cost: two or three bytes a leaf, one page in memory per level. Source: SQLite's
// ext/fts5/fts5_index.c, "Segment doclist indexes", and fts5WriteDlidxAppend.

constexpr int64_t kIndexMark = int64_t{1} << 36;
constexpr int kLevelShift = 31;

uint32_t FirstRowOf(const std::string& page) {
  const auto* const begin = reinterpret_cast<const uint8_t*>(page.data());
  uint64_t value = 0;
  const uint8_t* const at = ReadVarint(begin + 1, begin + page.size(), &value);
  ReadVarint(at, begin + page.size(), &value);
  return static_cast<uint32_t>(value);
}

void BeginPage(bool root, int64_t child, uint32_t row, std::string* page) {
  page->assign(1, root ? '\0' : '\1');
  AppendVarint(static_cast<uint64_t>(child), page);
  AppendVarint(row, page);
}

}  // namespace

FtsRowIndex::FtsRowIndex(int64_t run, size_t page_bytes, Write write)
    : run_(run), page_bytes_(page_bytes), write_(std::move(write)), levels_(1) {}

void FtsRowIndex::Begin(int64_t leaf) {
  for (Level& level : levels_) level.page.clear();
  levels_[0].number = leaf;
  leaves_ = 0;
}

void FtsRowIndex::AddLeafWithoutRow() {
  if (!levels_[0].page.empty()) AppendVarint(0, &levels_[0].page);
}

Status FtsRowIndex::WritePage(size_t level) {
  const Level& written = levels_[level];
  const int64_t row = FtsLeafRow({.id = run_}, written.number) | kIndexMark |
                      static_cast<int64_t>(level) << kLevelShift;
  return write_(row, written.page);
}

// Writes a page that is full, and adds the first row of the page that follows to the level above.
Status FtsRowIndex::AddLeaf(int64_t leaf, uint32_t row) {
  int64_t child = leaf;
  for (size_t i = 0;; ++i) {
    const bool full = levels_[i].page.size() >= page_bytes_;
    if (full) {
      levels_[i].page[0] = '\1';
      RECALL_TRY(WritePage(i));
      if (i + 1 == levels_.size()) levels_.emplace_back();
      if (Level& above = levels_[i + 1]; above.page.empty()) {
        above.number = levels_[i].number;
        above.last_row = FirstRowOf(levels_[i].page);
        BeginPage(true, levels_[i].number, above.last_row, &above.page);
      }
      levels_[i].page.clear();
      ++levels_[i].number;
    }
    Level& level = levels_[i];
    if (level.page.empty()) {
      BeginPage(!full, child, row, &level.page);
    } else {
      AppendVarint(row - level.last_row, &level.page);
    }
    level.last_row = row;
    if (!full) return Status::Ok();
    child = level.number;
  }
}

Status FtsRowIndex::Finish() {
  for (size_t i = 0; i < levels_.size() && !levels_[i].page.empty(); ++i) {
    RECALL_TRY(WritePage(i));
  }
  return Status::Ok();
}

}  // namespace recall
