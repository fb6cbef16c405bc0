#include "storage/sqlite/fts_doclist.h"

#include <algorithm>
#include <limits>

#include "storage/base/varint.h"

namespace recall {
namespace {

constexpr uint8_t kColumn = 0x01;
constexpr int64_t kMaxRow = std::numeric_limits<uint32_t>::max();

}  // namespace

// Nearly all positions are less than 126 beyond the last one and take a byte.
const uint8_t* FtsDoclist::CountPositions(const uint8_t* at, const uint8_t* end) {
  while (at != end) {
    const uint8_t first = *at++;
    for (uint8_t byte = first; byte >= 0x80; byte = *at++) {
      if (at == end) return nullptr;  // no number lies on two leaves
    }
    if (column_follows_) {
      column_follows_ = false;
    } else if (first == kColumn) {
      column_follows_ = true;
    } else {
      ++count_;
    }
  }
  return at;
}

bool FtsDoclist::ReadRest(const uint8_t* begin, const uint8_t* end) {
  const auto bytes = static_cast<uint64_t>(end - begin);
  if (bytes > missing_) return false;
  if (bytes == 0) return true;
  if (!CountPositions(begin, end)) return false;
  missing_ -= bytes;
  if (complete()) Append();
  return missing_ > 0 || complete();
}

bool FtsDoclist::ReadRows(const uint8_t* begin, const uint8_t* end) {
  if (begin == end) return true;
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
    at = ReadVarint(at, end, &size);
    if (!at) return false;
    missing_ = size / 2;
    count_ = 0;
    const uint64_t here = std::min(missing_, static_cast<uint64_t>(end - at));
    at = CountPositions(at, at + here);
    if (!at) return false;
    missing_ -= here;
    if (missing_ > 0) return at == end;
    if (!complete()) return false;
    Append();
  }
  return true;
}

}  // namespace recall
