#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace recall {

// Returns: the optimal string alignment distance: one for a letter left out, added or replaced, and
// for two neighbours swapped. Source: Damerau, "A technique for computer detection and correction
// of spelling errors", 1964. Time and memory: |a| * |b|.
template <typename Letter>
size_t AlignmentDistance(std::basic_string_view<Letter> a, std::basic_string_view<Letter> b) {
  const size_t width = b.size() + 1;
  std::vector<size_t> table((a.size() + 1) * width);
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      size_t& best = table[i * width + j];
      best = std::max(i, j);
      if (i == 0 || j == 0) continue;
      best = std::min(table[(i - 1) * width + j], table[i * width + j - 1]) + 1;
      best = std::min(best, table[(i - 1) * width + j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1));
      if (i < 2 || j < 2 || a[i - 1] != b[j - 2] || a[i - 2] != b[j - 1]) continue;
      best = std::min(best, table[(i - 2) * width + j - 2] + 1);
    }
  }
  return table.back();
}

}  // namespace recall
