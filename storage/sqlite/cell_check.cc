#include "storage/sqlite/cell_check.h"

#include <algorithm>
#include <string_view>

#include "storage/base/bytes.h"
#include "storage/base/varint.h"

namespace recall {
namespace {

// The b-tree of the first page begins after the file's header.
constexpr std::string_view kFileMagic{"SQLite format 3", 16};
constexpr size_t kDatabaseHeaderBytes = 100;

// The flag byte at the start of a b-tree page.
constexpr uint8_t kIndexInterior = 2;
constexpr uint8_t kTableInterior = 5;
constexpr uint8_t kIndexLeaf = 10;
constexpr uint8_t kTableLeaf = 13;

// flags 1 | first free block 2 | cells 2 | content 2 | fragments 1 | right child 4, interior only
constexpr size_t kCellCountAt = 3;
constexpr size_t kLeafHeaderBytes = 8;
constexpr size_t kChildBytes = 4;  // a page number
constexpr size_t kLeastCellBytes = 4;

class CellCheck final {
 public:
  CellCheck(ByteSpan page, uint8_t flags)
      : flags_(flags), begin_(page.data()), end_(page.data() + page.size()), bytes_(page.size()) {
    least_local_ = (bytes_ - 12) * 32 / 255 - 23;
    most_local_ = flags == kTableLeaf ? bytes_ - 35 : (bytes_ - 12) * 64 / 255 - 23;
  }

  bool IsInterior() const { return flags_ == kIndexInterior || flags_ == kTableInterior; }

  // Whether a cell begins so far from the end of the page that even the longest short cell would
  // end on it. This holds for most cells, which then need not be decoded.
  bool SurelyEndsOnPage(size_t begin) const {
    constexpr size_t kMostShortCell = 2 * kChildBytes + 2 * 9 + 127;  // two varints, 127 of payload
    if (begin + kMostShortCell > bytes_) return false;
    return flags_ == kTableInterior || begin_[begin + (IsInterior() ? kChildBytes : 0)] < 128;
  }

  // Returns the offset of the end of the cell, which is beyond the page if the cell is damaged.
  size_t EndOfCell(size_t begin) const {
    const size_t beyond = bytes_ + 1;
    const uint8_t* at = begin_ + begin + (IsInterior() ? kChildBytes : 0);
    uint64_t payload = 0;
    uint64_t row = 0;
    if (flags_ != kTableInterior && !(at = ReadVarint(at, end_, &payload))) return beyond;
    const bool has_row = flags_ == kTableInterior || flags_ == kTableLeaf;
    if (has_row && !(at = ReadVarint(at, end_, &row))) return beyond;
    const size_t size = static_cast<size_t>(at - begin_) - begin + LocalBytes(payload);
    return begin + std::max(size, kLeastCellBytes);
  }

 private:
  // Returns the number of bytes that a payload takes on the page, with the number of its first
  // overflow page. SQLite computes sizes with 32 bits.
  size_t LocalBytes(uint64_t payload) const {
    const auto size = static_cast<uint32_t>(payload);
    if (size <= most_local_) return size;
    const size_t local = least_local_ + (size - least_local_) % (bytes_ - kChildBytes);
    return (local <= most_local_ ? local : least_local_) + kChildBytes;
  }

  uint8_t flags_;
  const uint8_t* begin_;
  const uint8_t* end_;
  size_t bytes_;
  size_t least_local_ = 0;  // bytes of an overflowing payload on the page, at least
  size_t most_local_ = 0;   // bytes of a payload that does not overflow, at most
};

}  // namespace

bool CellsLieOnPage(ByteSpan page) {
  const size_t header = AsText(page).starts_with(kFileMagic) ? kDatabaseHeaderBytes : 0;
  const uint8_t flags = page[header];
  if (flags != kIndexInterior && flags != kTableInterior && flags != kIndexLeaf &&
      flags != kTableLeaf) {
    return true;
  }
  const CellCheck check(page, flags);
  const size_t child = check.IsInterior() ? kChildBytes : 0;
  const size_t pointers = header + kLeafHeaderBytes + child;
  const size_t count = LoadBig16(page.data() + header + kCellCountAt);
  const size_t first = pointers + 2 * count;
  const size_t last = page.size() - kLeastCellBytes - (child != 0 ? 1 : 0);
  if (first > page.size()) return false;
  for (size_t i = 0; i < count; ++i) {
    const size_t begin = LoadBig16(page.data() + pointers + 2 * i);
    if (begin < first || begin > last) return false;
    if (!check.SurelyEndsOnPage(begin) && check.EndOfCell(begin) > page.size()) return false;
  }
  return true;
}

}  // namespace recall
