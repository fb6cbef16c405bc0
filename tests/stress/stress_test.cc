// A short form of `./x stress`, and controls that must fail.

#include <gtest/gtest.h>

#include "tests/stress/crowd_stress.h"
#include "tests/stress/kill_stress.h"
#include "tests/stress/note_stress.h"
#include "tests/stress/repair_stress.h"
#include "tests/test_util.h"

namespace recall {
namespace {

KillStressReport StressInTempDir(KillStressOptions options) {
  const TempDir dir;
  options.directory = dir.path();
  options.seed = TestSeed(options.seed);
  return RunKillStress(options);
}

class KillStressTest : public ::testing::TestWithParam<const char*> {};

TEST_P(KillStressTest, KilledWritersLoseNothing) {
  const KillStressReport report =
      StressInTempDir({.directory = "", .journal = GetParam(), .kills = 100, .readers_live = 25});
  EXPECT_EQ(report.fault, "");
  EXPECT_EQ(report.kills, 100);
  EXPECT_GT(report.steps, 0);
  EXPECT_GT(report.mapped, 0);
  EXPECT_GT(report.raw_pages, 0);
}

INSTANTIATE_TEST_SUITE_P(Journals, KillStressTest, ::testing::Values("WAL", "DELETE"));

TEST(NoteStressTest, KilledWritersOfNotesLeaveWhatTheModelSays) {
  const TempDir dir;
  const NoteStressReport report = RunNoteStress({.directory = dir.path(), .seed = TestSeed(1)});
  EXPECT_EQ(report.fault, "");
  EXPECT_GE(report.steps, 1000);
  EXPECT_GT(report.kills, 15);
  EXPECT_GT(report.snapshots, 0);
}

TEST(NoteStressTest, AStepThatIsAcknowledgedEarlyIsFoundOut) {
  const TempDir dir;
  const NoteStressReport report = RunNoteStress(
      {.directory = dir.path(), .steps = 100'000, .seed = TestSeed(1), .acknowledge_early = true});
  EXPECT_NE(report.fault, "") << report.kills << " kills";
}

// Each control breaks one rule and must be detected.
struct Control {
  const char* name;
  const char* journal;
  StressControl control;
  int readers;
};

void PrintTo(const Control& control, std::ostream* out) { *out << control.name; }

class StressControlTest : public ::testing::TestWithParam<Control> {};

TEST_P(StressControlTest, IsFoundOut) {
  const KillStressReport report = StressInTempDir({.directory = "",
                                                   .journal = GetParam().journal,
                                                   .kills = 3000,
                                                   .readers = GetParam().readers,
                                                   .most_micros = 80'000,
                                                   .control = GetParam().control});
  EXPECT_NE(report.fault, "") << report.kills << " kills, " << report.reads << " reads";
}

INSTANTIATE_TEST_SUITE_P(
    Controls, StressControlTest,
    ::testing::Values(
        Control{"AcknowledgedEarly", "WAL", StressControl::kAcknowledgeEarly, 0},
        Control{"AcknowledgedEarlyWithJournal", "DELETE", StressControl::kAcknowledgeEarly, 0},
        Control{"CommittedInParts", "WAL", StressControl::kSplitCommits, 1},
        Control{"WalLost", "WAL", StressControl::kLoseJournal, 0},
        Control{"JournalLost", "DELETE", StressControl::kLoseJournal, 0},
        Control{"ReadWithoutCertificate", "WAL", StressControl::kReadUncertified, 2},
        Control{"ReadAfterTheTransaction", "DELETE", StressControl::kReadAfterwards, 2},
        Control{"ReadAfterTheTransactionOfTheWal", "WAL", StressControl::kReadAfterwards, 2}),
    [](const auto& test) { return std::string(test.param.name); });

class CrowdStressTest : public ::testing::TestWithParam<const char*> {};

TEST_P(CrowdStressTest, WritersAndReadersGetOnTogether) {
  const TempDir dir;
  const CrowdStressReport report =
      RunCrowdStress({.directory = dir.path(), .journal = GetParam(), .seed = TestSeed(1)});
  EXPECT_EQ(report.fault, "");
  EXPECT_GE(report.steps, 160);
  EXPECT_GT(report.reads, 0);
}

INSTANTIATE_TEST_SUITE_P(Journals, CrowdStressTest, ::testing::Values("WAL", "DELETE"));

RepairStressReport RepairInTempDir(RepairStressOptions options) {
  const TempDir dir;
  options.directory = dir.path();
  options.seed = TestSeed(options.seed);
  return RunRepairStress(options);
}

TEST(RepairStressTest, KilledRepairsAndBackupsLoseNothing) {
  const RepairStressReport report = RepairInTempDir({.directory = "", .store = "", .kills = 12});
  EXPECT_EQ(report.fault, "");
  EXPECT_EQ(report.repairs_killed, 12);
  EXPECT_EQ(report.backups_killed, 12);
}

TEST(RepairStressTest, ControlDamageThatCannotBeRepaired) {
  const RepairStressReport report =
      RepairInTempDir({.directory = "", .store = "", .kills = 1, .beyond_repair = true});
  EXPECT_NE(report.fault, "");
}

}  // namespace
}  // namespace recall
