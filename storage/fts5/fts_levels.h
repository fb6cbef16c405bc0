#pragma once

#include <cstdint>
#include <vector>

namespace recall {

// The sorted runs of FTS5's index, by level: runs of a level are merged into one of the next.
// Leaves are rows of lexicon_data, each a few kilobytes.
struct FtsRun {
  int64_t id = 0;
  int64_t first_leaf = 0;  // 0: a merge in progress has taken all of it
  int64_t last_leaf = 0;

  int64_t leaves() const { return first_leaf == 0 ? 0 : last_leaf - first_leaf + 1; }
};
struct FtsLevel {
  int64_t merging = 0;       // number of its runs that a merge in progress takes in
  std::vector<FtsRun> runs;  // oldest first; runs of higher levels are older

  int64_t leaves() const;
};

// A new run of fewer leaves belongs to level 0.
inline constexpr int64_t kFtsLevel0Leaves = 64;

// Lifts runs to the levels of their sizes: a run of 64 leaves and more is at least on level 1, one
// of 1,024 and more on level 2, and so on, sixteen times as many for each further level. Runs that
// are older than a lifted one are lifted with it, because those of higher levels are older. No run
// passes the lowest level from which a merge in progress reads.
void LiftFtsRuns(std::vector<FtsLevel>& levels);

}  // namespace recall
