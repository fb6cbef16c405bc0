#include "cli/setup/runs/run_log.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "tests/test_util.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class RunLogTest : public ::testing::Test {
 protected:
  std::string Place() const { return directory_ / "state/recall/runs/0123"; }
  std::string TextOf(const std::string& suffix) const {
    std::ifstream file(Place() + suffix);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static RunRecord NewRun(int64_t second = 0) {
    RunRecord run;
    run.began = (1'800'000'000 + second) * 1'000'000'000;
    run.jobs = {{.name = "add"}, {.name = "compact"}};
    return run;
  }
  static void Finish(const RunLog& log, RunRecord* run) {
    run->end = RunEnd{.micros = 5};
    ASSERT_OK(log.Ended(*run));
  }

  TempDir directory_;
};

TEST_F(RunLogTest, OneProcessAtATimeHasTheLock) {
  auto first = std::make_unique<RunLog>(Place());
  RunLog second(Place());
  EXPECT_TRUE(Must(first->Lock()));
  EXPECT_FALSE(Must(second.Lock()));
  EXPECT_FALSE(Must(second.Lock()));
  first.reset();
  EXPECT_TRUE(Must(second.Lock()));
  RunLog of_another_store(directory_ / "state/recall/runs/4567");
  EXPECT_TRUE(Must(of_another_store.Lock()));
}

TEST_F(RunLogTest, TellsWhetherARunGoesOnOrWasKilled) {
  auto active = std::make_unique<RunLog>(Place());
  ASSERT_TRUE(Must(active->Lock()));
  RunRecord run = NewRun();
  ASSERT_OK(active->Begin(&run));
  RunRecord skipped = NewRun(1);
  const RunLog reader(Place());
  ASSERT_OK(reader.Skipped(&skipped));
  JobRecord add = run.jobs[0];
  add.end = RunEnd{.micros = 7};
  ASSERT_OK(active->JobEnded(run, add));

  std::vector<RunRecord> runs = reader.Read();
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].status, RunStatus::kSkipped);
  EXPECT_EQ(runs[1].status, RunStatus::kRunning);
  EXPECT_EQ(runs[1].jobs[0].status, RunStatus::kDone);
  EXPECT_EQ(runs[1].jobs[1].status, RunStatus::kRunning);
  active.reset();  // as when the process is killed
  runs = reader.Read();
  EXPECT_EQ(runs[1].status, RunStatus::kInterrupted);
  EXPECT_EQ(runs[1].jobs[1].status, RunStatus::kInterrupted);

  RunLog next(Place());
  ASSERT_TRUE(Must(next.Lock()));
  RunRecord last = NewRun(2);
  ASSERT_OK(next.Begin(&last));
  runs = reader.Read();
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].status, RunStatus::kRunning);
  EXPECT_EQ(runs[2].status, RunStatus::kInterrupted);
  Finish(next, &last);
  EXPECT_EQ(reader.Read()[0].status, RunStatus::kDone);
}

TEST_F(RunLogTest, KeepsTheNewestRunsAndDoesNotGrow) {
  RunLog log(Place());
  ASSERT_TRUE(Must(log.Lock()));
  constexpr int64_t kRuns = 2'300;
  for (int64_t i = 0; i < kRuns; ++i) {
    RunRecord run = NewRun(i);
    if (i % 100 == 0) {
      ASSERT_OK(log.Begin(&run));
      Finish(log, &run);
      continue;
    }
    run.id = "run " + std::to_string(i);  // the same without waiting for the disk
    run.end = RunEnd{.micros = 5};
    std::ofstream(Place() + ".jsonl", std::ios::app) << BeginLine(run) << EndLine(run);
  }
  const std::vector<RunRecord> runs = log.Read();
  ASSERT_EQ(runs.size(), kMostRuns);
  EXPECT_EQ(runs.front().began, NewRun(kRuns - 1).began);
  EXPECT_EQ(runs.back().began, NewRun(kRuns - static_cast<int64_t>(kMostRuns)).began);
  EXPECT_EQ(ParseRuns(TextOf(".jsonl")).size(), 300u);
  EXPECT_EQ(ParseRuns(TextOf(".old.jsonl")).size(), kMostRuns);
  const auto files = std::distance(fs::directory_iterator(fs::path(Place()).parent_path()),
                                   fs::directory_iterator());
  EXPECT_EQ(files, 3);  // with the lock
}

TEST_F(RunLogTest, AnInterruptedRunStaysSoInTheOlderFile) {
  fs::create_directories(fs::path(Place()).parent_path());
  RunRecord killed = NewRun();
  killed.id = "1";
  std::ofstream(Place() + ".old.jsonl") << BeginLine(killed);
  const RunLog reader(Place());
  ASSERT_EQ(reader.Read().size(), 1u);
  EXPECT_EQ(reader.Read()[0].status, RunStatus::kInterrupted);
}

// A run that hangs makes all others skip; what they record is bounded, too.
TEST_F(RunLogTest, SkippedRunsFillNoDisk) {
  const RunLog log(Place());
  fs::create_directories(fs::path(Place()).parent_path());
  std::ofstream(Place() + ".jsonl") << std::string(5 << 20, '\n');
  const auto size = fs::file_size(Place() + ".jsonl");
  RunRecord run = NewRun();
  ASSERT_OK(log.Skipped(&run));
  EXPECT_EQ(fs::file_size(Place() + ".jsonl"), size);
}

TEST_F(RunLogTest, ALineThatAPowerCutToreEndsBeforeTheNextRun) {
  RunLog log(Place());
  ASSERT_TRUE(Must(log.Lock()));
  std::ofstream(Place() + ".jsonl") << "{\"run\":\"1\",\"beg";
  RunRecord run = NewRun();
  ASSERT_OK(log.Begin(&run));
  Finish(log, &run);
  ASSERT_EQ(log.Read().size(), 1u);
  EXPECT_EQ(log.Read()[0].status, RunStatus::kDone);
}

TEST_F(RunLogTest, OnlyTheUserMayReadIt) {
  RunLog log(Place());
  ASSERT_TRUE(Must(log.Lock()));
  RunRecord run = NewRun();
  ASSERT_OK(log.Begin(&run));
  EXPECT_EQ(fs::status(Place() + ".jsonl").permissions(), fs::perms(0600));
  EXPECT_EQ(fs::status(fs::path(Place()).parent_path()).permissions(), fs::perms(0700));
}

TEST_F(RunLogTest, WithoutAPlaceThereIsAnErrorAndNoRun) {
  RunLog nowhere("");
  EXPECT_EQ(nowhere.Lock().error().code(), StatusCode::kIoError);
  EXPECT_TRUE(nowhere.Read().empty());
  std::ofstream(directory_ / "file") << "x";
  RunLog below_a_file(directory_ / "file/runs/0123");
  EXPECT_EQ(below_a_file.Lock().error().code(), StatusCode::kIoError);
}

TEST_F(RunLogTest, AStoreHasOnePlaceByWhateverPath) {
  ASSERT_EQ(::setenv("XDG_STATE_HOME", (directory_ / "state").c_str(), 1), 0);
  fs::create_directory(directory_ / "a");
  std::ofstream(directory_ / "a/recall.db") << "x";
  fs::create_directory_symlink(directory_ / "a", directory_ / "b");
  const std::string place = PlaceOfRuns(directory_ / "a/recall.db");
  EXPECT_TRUE(place.starts_with(directory_ / "state/recall/runs/")) << place;
  EXPECT_EQ(PlaceOfRuns(directory_ / "b/recall.db"), place);
  EXPECT_NE(PlaceOfRuns(directory_ / "a/other.db"), place);
  const std::string address = PlaceOfRuns("postgres://ann@db.example/team");
  EXPECT_NE(address, PlaceOfRuns("postgres://ann@db.example/other"));
  ASSERT_EQ(::setenv("XDG_STATE_HOME", "relative", 1), 0);
  EXPECT_EQ(PlaceOfRuns("/a/recall.db").find("relative"), std::string::npos);
  ASSERT_EQ(::unsetenv("XDG_STATE_HOME"), 0);
}

}  // namespace
}  // namespace recall
