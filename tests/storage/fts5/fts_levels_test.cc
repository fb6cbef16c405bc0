#include "storage/fts5/fts_levels.h"

#include <gtest/gtest.h>

#include <string>

namespace recall {
namespace {

FtsRun RunOf(int64_t id, int64_t leaves) { return {id, leaves > 0 ? 1 : 0, leaves}; }

// "*2: 1 2 3 | 4": the first level has the runs 1 to 3, of which two are merged.
std::string Print(const std::vector<FtsLevel>& levels) {
  std::string all;
  for (const FtsLevel& level : levels) {
    if (&level != &levels.front()) all += " |";
    if (level.merging > 0) all += " *" + std::to_string(level.merging) + ":";
    for (const FtsRun& run : level.runs) all += " " + std::to_string(run.id);
  }
  return all;
}

std::string Lifted(std::vector<FtsLevel> levels) {
  LiftFtsRuns(levels);
  return Print(levels);
}

TEST(FtsLevels, ALargeRunBelongsToTheLevelOfItsSize) {
  EXPECT_EQ(Lifted({{0, {RunOf(1, 63)}}}), " 1");
  EXPECT_EQ(Lifted({{0, {RunOf(1, 64)}}}), " | 1");
  EXPECT_EQ(Lifted({{0, {RunOf(1, 1023)}}}), " | 1");
  EXPECT_EQ(Lifted({{0, {RunOf(1, 1024)}}}), " | | 1");
  EXPECT_EQ(Lifted({{0, {RunOf(1, 16'384)}}}), " | | | 1");
}

TEST(FtsLevels, OlderRunsAreLiftedWithALargeOne) {
  EXPECT_EQ(
      Lifted({{0, {RunOf(3, 1), RunOf(4, 100), RunOf(5, 1)}}, {0, {RunOf(1, 1), RunOf(2, 1)}}}),
      " 5 | 1 2 3 4");
  EXPECT_EQ(Lifted({{0, {RunOf(3, 1), RunOf(4, 2000), RunOf(5, 1)}},
                    {0, {RunOf(2, 70)}},
                    {0, {RunOf(1, 1)}}}),
            " 5 | | 1 2 3 4");
}

TEST(FtsLevels, ASmallRunOfAHighLevelStays) {
  EXPECT_EQ(Lifted({{0, {RunOf(3, 1)}}, {0, {RunOf(2, 1)}}, {0, {RunOf(1, 1)}}}), " 3 | 2 | 1");
}

TEST(FtsLevels, NoRunPassesAMergeInProgress) {
  // The runs 2 and 3 are merged into 1, and 4 is not.
  const std::vector<FtsLevel> levels = {{0, {RunOf(5, 20'000), RunOf(6, 1)}},
                                        {2, {RunOf(2, 1), RunOf(3, 1), RunOf(4, 1)}},
                                        {0, {RunOf(1, 1)}}};
  EXPECT_EQ(Lifted(levels), " 6 | *2: 2 3 4 5 | 1");
  EXPECT_EQ(Lifted({{1, {RunOf(2, 20'000), RunOf(3, 20'000)}}, {0, {RunOf(1, 1)}}}),
            " *1: 2 3 | 1");
}

}  // namespace
}  // namespace recall
