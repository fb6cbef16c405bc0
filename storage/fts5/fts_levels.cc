#include "storage/fts5/fts_levels.h"

#include <algorithm>
#include <cstddef>

namespace recall {
namespace {

size_t LevelOfSize(int64_t leaves) {
  constexpr int64_t kGrowth = 16;
  size_t level = 0;
  for (; leaves >= kFtsLevel0Leaves; leaves /= kGrowth) ++level;
  return level;
}

}  // namespace

int64_t FtsLevel::leaves() const {
  int64_t leaves = 0;
  for (const FtsRun& run : runs) leaves += run.leaves();
  return leaves;
}

// A level from which a merge reads keeps its first `merging` runs, and the next level its last one,
// which is the result. So only runs below are lifted, to the end of that level at most.
void LiftFtsRuns(std::vector<FtsLevel>& levels) {
  const auto merging =
      std::ranges::find_if(levels, [](const FtsLevel& level) { return level.merging > 0; });
  const auto limit = static_cast<size_t>(merging - levels.begin());
  std::vector<std::vector<FtsRun>> lifted(limit + 1);  // of each level, the newest first
  size_t target = 0;
  for (size_t level = 0; level < limit; ++level) {
    for (auto run = levels[level].runs.rbegin(); run != levels[level].runs.rend(); ++run) {
      target = std::max({target, level, LevelOfSize(run->leaves())});
      if (merging != levels.end()) target = std::min(target, limit);
      if (lifted.size() <= target) lifted.resize(target + 1);
      lifted[target].push_back(*run);
    }
    levels[level].runs.clear();
  }
  levels.resize(std::max(levels.size(), target + 1));
  for (size_t level = 0; level <= target; ++level) {
    std::vector<FtsRun>& runs = levels[level].runs;
    runs.insert(runs.end(), lifted[level].rbegin(), lifted[level].rend());
  }
}

}  // namespace recall
