#include "storage/base/nearest_word.h"

#include <algorithm>
#include <numeric>

namespace recall {
namespace {

constexpr size_t kLongest = 64;  // further letters do not count
constexpr size_t kShortestPrefix = 3;

std::string OnlyOneWithPrefix(std::string_view prefix, const std::vector<std::string>& candidates) {
  const auto starts = [&](const std::string& candidate) { return candidate.starts_with(prefix); };
  if (prefix.size() < kShortestPrefix || std::ranges::count_if(candidates, starts) != 1) return "";
  return *std::ranges::find_if(candidates, starts);
}

}  // namespace

// Two rows of the table are enough.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

std::string NearestWord(std::string_view word, const std::vector<std::string>& candidates) {
  word = word.substr(0, kLongest);
  if (std::string start = OnlyOneWithPrefix(word, candidates); !start.empty()) return start;
  std::string best;
  size_t best_distance = word.size() / 3 + 2;  // one more than the largest accepted distance
  for (const std::string& candidate : candidates) {
    const size_t distance = EditDistance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace recall
