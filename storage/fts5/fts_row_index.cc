#include "storage/fts5/fts_row_index.h"

#include <utility>

#include "storage/base/varint.h"
#include "storage/fts5/fts_leaf.h"

namespace recall {
namespace {

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

// A page that is full is written, and the first row of the one that follows goes to the level
// above.
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
