#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/search/bitmap/bitmap.h"
#include "storage/base/status.h"

namespace recall {

// A gap of up to this many rows between two members is read and not skipped: a new look-up would
// cost more.
inline constexpr uint32_t kWorthSkipping = 32;

// Calls `scan(first, last)` for ranges of rows that contain all members, ascending. Stops at the
// first error, and returns it.
//
//   members   { 3 4 7 9        900 901         40000 }
//   ranges    [3 ........ 9]  [900 901]        [40000]
template <typename Scan>
Status ForEachRange(const Bitmap& members, const Scan& scan) {
  const std::vector<uint32_t> rows = members.Values();
  for (size_t i = 0; i < rows.size();) {
    size_t last = i;
    while (last + 1 < rows.size() && rows[last + 1] - rows[last] <= kWorthSkipping) ++last;
    RECALL_TRY(scan(rows[i], rows[last]));
    i = last + 1;
  }
  return Status::Ok();
}

}  // namespace recall
