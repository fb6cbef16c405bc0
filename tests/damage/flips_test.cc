// A short form of `./x flips`, and controls that must find something.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/damage/flip_table.h"
#include "tests/test_util.h"

namespace recall {
namespace {

class FlipsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { PutFilesInMemory(); }
};

struct Trials {
  const char* store;
  int flips;
  FlipOptions options;
};

FlipCounts Try(const Trials& chosen) {
  const auto stores = AllFlipStores();
  const auto store = std::ranges::find(stores, std::string_view(chosen.store), &FlipStore::name);
  const TempDir directory;
  const FlipTrials trials = Must(FlipTrials::Make(*store, directory.path(), chosen.options));
  FlipTable table;
  const uint64_t seed = TestSeed(1);
  for (int i = 0; i < chosen.flips; ++i) {
    const FlipOutcome outcome = trials.Run(seed + static_cast<uint64_t>(i));
    table.Add(outcome);
    if (outcome.is_bad()) std::printf("%s %s\n", store->name, Describe(outcome).c_str());
  }
  std::printf("%s\n", table.ToString().c_str());
  return table.sum();
}

void ExpectHarmless(const FlipCounts& counts) {
  EXPECT_EQ(counts.crashed, 0);
  EXPECT_EQ(counts.misleading(), 0);
  EXPECT_EQ(counts.missed, 0) << "answers that were not right, and a doctor that finds no error";
  EXPECT_EQ(counts.overwrote(), 0);
  EXPECT_EQ(counts.lossy(), 0) << "repairs after which all is said to be well";
}

TEST_F(FlipsTest, ABitIsFoundAndRestored) {
  const FlipCounts counts = Try({"small", 50, {}});
  ExpectHarmless(counts);
  EXPECT_EQ(counts.wrong(), 0);
  EXPECT_EQ(counts.faultless, 0);
  EXPECT_EQ(counts.restored() + counts.refused(), counts.flips);
  EXPECT_GE(counts.restored(), counts.flips - 2) << "all but a schema that cannot be read";
}

TEST_F(FlipsTest, ABitInTheTablesOfNotesIsFoundAndRestored) {
  for (const char* table : {"name", "card", "link", "use_log", "review_log", "activity"}) {
    FlipOptions options;
    options.aim = table;
    const FlipCounts counts = Try({"notes", 4, options});
    ExpectHarmless(counts);
    EXPECT_EQ(counts.wrong(), 0);
    EXPECT_EQ(counts.faultless, 0);
  }
}

// Without checksums it may be seen by nobody: nothing else records a reason, or the time of a use.
TEST_F(FlipsTest, AByteInTheTablesOfNotesIsNoCrash) {
  for (const char* table : {"name", "card", "link", "use_log", "review_log", "activity"}) {
    const FlipOptions options = {.kind = FlipKind::kByte, .aim = table, .unsealed = true};
    const FlipCounts counts = Try({"notes", 5, options});
    EXPECT_EQ(counts.crashed, 0);
  }
}

TEST_F(FlipsTest, ASectorIsFoundAndNeverVouchedFor) {
  const FlipCounts counts = Try({"given", 25, {.kind = FlipKind::kSector}});
  ExpectHarmless(counts);
  EXPECT_EQ(counts.faultless, 0);
  EXPECT_GT(counts.restored(), 0);
  EXPECT_GT(counts.refused(), 0);
}

// With the checksum of the page, which then looks like one that was never written.
TEST_F(FlipsTest, ASectorOfZerosAtTheEndOfAPageIsFound) {
  const FlipCounts counts = Try({"small", 25, {.kind = FlipKind::kZeros, .aim = "trailers"}});
  ExpectHarmless(counts);
  EXPECT_EQ(counts.wrong(), 0);
  EXPECT_EQ(counts.faultless, 0);
}

TEST_F(FlipsTest, ABitInAWalTakesBackCommits) {
  const FlipCounts counts = Try({"wal", 15, {}});
  ExpectHarmless(counts);
  EXPECT_EQ(counts.wrong(), 0);
}

TEST_F(FlipsTest, ControlQuestionsThatDoNotCompareChecksums) {
  EXPECT_GT(Try({"small", 15, {.aim = "doc", .unverified = true}}).wrong(), 0);
}

// Nested metadata is compared with nothing but the checksum.
TEST_F(FlipsTest, ControlARepairThatAcceptsDamage) {
  const FlipOptions options = {.kind = FlipKind::kByte, .aim = "doc", .accepting = true};
  EXPECT_GT(Try({"small", 15, options}).lossy(), 0);
}

TEST_F(FlipsTest, ControlPagesWithoutChecksums) {
  const FlipOptions options = {.kind = FlipKind::kByte, .aim = "doc", .unsealed = true};
  EXPECT_GT(Try({"small", 15, options}).missed, 0);
}

}  // namespace
}  // namespace recall
