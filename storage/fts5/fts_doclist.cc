#include "storage/fts5/fts_doclist.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "storage/base/checked_math.h"
#include "storage/base/coding.h"
#include "storage/base/swar.h"
#include "storage/base/varint.h"

namespace recall {
namespace {

// The bytes of a list are described in fts_doclist.h. Only two facts are read from them: the row,
// and the number of positions. The number of positions is not stored; it is the number of varints
// in the row's position bytes, without the column marks (01 and the column's number).
//
// Decoding varint by varint costs a branch for each byte. Nearly all rows of a real index are
// short, so ReadShortRows has a fast path: positions are loaded eight bytes at a time, and the end
// of a varint is a byte whose highest bit is clear. A population count of those bits is the number
// of varints:
//
//   bytes  05 83 12 04 ff ff ff ff   4 bytes of positions, the others masked
//   ends   x     x  x                3 positions
//
// A byte 01 may be a column mark; then the row is counted byte by byte. ReadRows decodes everything
// else: the first row of a leaf, large steps, and positions that continue on the next leaf.
//
// Invariants: no varint is split between leaves (FTS5 never splits one, and damage is detected);
// rows ascend strictly; every load stays within the leaf. Damaged bytes give false, never an access
// outside of [begin, end).
//
// Cost: a few nanoseconds a row. Source: SQLite's ext/fts5/fts5_index.c, "TERM/DOCLIST FORMAT".

constexpr uint8_t kColumnMark = 0x01;
constexpr int64_t kMaxRow = std::numeric_limits<uint32_t>::max();

// The number of bytes whose highest bit is set. Requires: no other bit is set.
uint32_t CountHighBits(uint64_t bits) {
  return static_cast<uint32_t>((bits >> 7) * kEachByte >> 56);
}

// The number of varints in `bytes` bytes, which are loaded eight at a time. Returns nothing if one
// of them may be 01, or if the last varint does not end within the bytes.
std::optional<uint32_t> CountPlainVarints(const uint8_t* at, uint32_t bytes) {
  uint64_t columns = 0;
  uint64_t last_bytes = 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < bytes; i += sizeof(uint64_t)) {
    const uint32_t here = std::min<uint32_t>(bytes - i, sizeof(uint64_t));
    const uint64_t unwanted = here == sizeof(uint64_t) ? 0 : ~uint64_t{0} << 8 * here;
    const uint64_t positions = LoadLittle<uint64_t>(at + i) | unwanted;
    columns |= ZeroBytes(positions ^ kEachByte);
    last_bytes = ~positions & kEachHighBit;
    count += CountHighBits(last_bytes);
  }
  if (columns != 0 || at[bytes - 1] >= 0x80) return std::nullopt;
  return count;
}

}  // namespace

// Reads rows as long as each one is less than 2^14 beyond the last one, has 1 to 63 bytes of
// positions, and has all of them on this leaf: nearly all rows. Stops before any other row, and
// where fewer bytes are left than a load may read. Returns the address of the first unread row.
const uint8_t* FtsDoclist::ReadShortRows(const uint8_t* at, const uint8_t* end) {
  constexpr ptrdiff_t kBeforePositions = 3;
  int64_t row = row_;
  while (end - at >= kBeforePositions) {
    const uint8_t* next = at;
    uint32_t step = *next++;
    if (step >= 0x80) {
      const uint32_t low = *next++;
      step = low < 0x80 ? (step & 0x7f) << 7 | low : 0;
    }
    const uint32_t size = *next++;
    const uint32_t bytes = size / 2;
    if (step == 0 || size >= 0x80 || bytes == 0) break;
    if (end - next < static_cast<ptrdiff_t>(RoundUp(bytes, sizeof(uint64_t)))) break;
    row += step;
    if (row > part_.last_row) break;
    if (row >= part_.first_row) {
      std::optional<uint32_t> count = CountPlainVarints(next, bytes);
      if (!count) count = CountOneByOne(next, next + bytes);
      if (!count) break;
      list_->push_back({static_cast<uint32_t>(row), *count});
    }
    row_ = row;
    at = next + bytes;
  }
  return at;
}

// Counts the positions of a whole row with CountPositions. Returns nothing if the bytes do not end
// with a whole position.
std::optional<uint32_t> FtsDoclist::CountOneByOne(const uint8_t* at, const uint8_t* end) {
  count_ = 0;
  counts_ = true;
  const bool whole = CountPositions(at, end) && !column_follows_;
  column_follows_ = false;
  return whole ? std::optional(count_) : std::nullopt;
}

// Counts positions byte by byte. Nearly all of them are less than 126 beyond the last one and take
// one byte.
const uint8_t* FtsDoclist::CountPositions(const uint8_t* at, const uint8_t* end) {
  while (at != end) {
    const uint8_t first = *at++;
    for (uint8_t byte = first; byte >= 0x80; byte = *at++) {
      if (at == end) return nullptr;  // no varint is split between two leaves
    }
    if (column_follows_) {
      column_follows_ = false;
      counts_ = part_.columns == Columns::kAll;
    } else if (first == kColumnMark) {
      column_follows_ = true;
    } else if (counts_) {
      ++count_;
    }
  }
  return at;
}

bool FtsDoclist::ReadRest(const uint8_t* begin, const uint8_t* end) {
  const auto bytes = static_cast<uint64_t>(end - begin);
  if (std::exchange(passes_over_rest_, false) || done()) return true;
  if (bytes > missing_) return false;
  if (bytes == 0) return true;
  if (wanted() && !CountPositions(begin, end)) return false;
  missing_ -= bytes;
  if (complete()) Append();
  return missing_ > 0 || complete();
}

bool FtsDoclist::ReadRows(const uint8_t* begin, const uint8_t* end) {
  if (begin == end || done()) return true;
  if (!complete()) return false;
  int64_t base = 0;
  for (const uint8_t* at = begin; at != end;) {
    uint64_t row = 0;
    uint64_t size = 0;
    at = ReadVarint(at, end, &row);
    if (!at || row > static_cast<uint64_t>(kMaxRow - base)) return false;
    const int64_t next = base + static_cast<int64_t>(row);
    if (next <= row_) return false;
    row_ = base = next;
    if (done()) return true;
    at = ReadVarint(at, end, &size);
    if (!at) return false;
    missing_ = size / 2;
    count_ = 0;
    counts_ = true;
    const uint64_t here = std::min(missing_, static_cast<uint64_t>(end - at));
    at = wanted() ? CountPositions(at, at + here) : at + here;
    if (!at) return false;
    missing_ -= here;
    if (missing_ > 0) return at == end;
    if (!complete()) return false;
    Append();
    at = ReadShortRows(at, end);
    base = row_;
  }
  return true;
}

}  // namespace recall
