#include "cli/setup/runs/run_record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace recall {
namespace {

RunRecord Begun(const std::string& id) {
  RunRecord run;
  run.id = id;
  run.began = 1'800'000'000'250'000'000;
  run.jobs = {{.name = "add"}, {.name = "doctor"}};
  return run;
}

JobRecord EndedJob(const std::string& name) {
  JobRecord job{.name = name};
  job.end = RunEnd{.micros = 1'500, .exit_code = 3, .error = "io_error", .message = "a \"b\"\n"};
  job.counts = {{"added", 7}, {"failed", INT64_C(1) << 40}};
  return job;
}

TEST(RunRecord, LinesAreReadAsTheyWereWritten) {
  RunRecord run = Begun("1");
  std::string text = BeginLine(run);
  text += JobLine(run, EndedJob("add"));
  JobRecord doctor{.name = "doctor"};
  doctor.end = RunEnd{.micros = 20};
  text += JobLine(run, doctor);
  run.end = RunEnd{.micros = 1'600, .exit_code = 3, .error = "io_error", .message = "add: x"};
  text += EndLine(run);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);

  const std::vector<RunRecord> runs = ParseRuns(text);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].id, "1");
  EXPECT_EQ(runs[0].began, run.began);
  EXPECT_EQ(runs[0].status, RunStatus::kFailed);
  ASSERT_TRUE(runs[0].end);
  EXPECT_EQ(runs[0].end->micros, 1'600);
  EXPECT_EQ(runs[0].end->message, "add: x");
  ASSERT_EQ(runs[0].jobs.size(), 2u);
  EXPECT_EQ(runs[0].jobs[0].status, RunStatus::kFailed);
  EXPECT_EQ(runs[0].jobs[0].end->exit_code, 3);
  EXPECT_EQ(runs[0].jobs[0].end->error, "io_error");
  EXPECT_EQ(runs[0].jobs[0].end->message, "a \"b\"\n");
  EXPECT_EQ(runs[0].jobs[0].counts, EndedJob("add").counts);
  EXPECT_EQ(runs[0].jobs[1].status, RunStatus::kDone);
  EXPECT_EQ(runs[0].jobs[1].end->error, "");
}

TEST(RunRecord, StatusesFollowFromTheEnd) {
  EXPECT_EQ(StatusOf({.exit_code = 0}), RunStatus::kDone);
  EXPECT_EQ(StatusOf({.exit_code = 4}), RunStatus::kFailed);
  EXPECT_EQ(StatusOf({.exit_code = 130}), RunStatus::kCancelled);
}

TEST(RunRecord, WhatHasNoEndIsInterruptedAndWhatIsSkippedHasNone) {
  const std::vector<RunRecord> runs = ParseRuns(BeginLine(Begun("1")) + SkippedLine(Begun("2")));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].status, RunStatus::kInterrupted);
  EXPECT_EQ(runs[0].jobs[0].status, RunStatus::kNotRun);
  EXPECT_EQ(runs[1].status, RunStatus::kSkipped);
  EXPECT_FALSE(runs[1].end);
}

// Lines of two runs may alternate: one of them is skipped while the other goes on.
TEST(RunRecord, LinesBelongToTheirRun) {
  RunRecord one = Begun("1");
  one.end = RunEnd{.micros = 9};
  const std::vector<RunRecord> runs = ParseRuns(BeginLine(one) + SkippedLine(Begun("2")) +
                                                JobLine(one, EndedJob("add")) + EndLine(one));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].status, RunStatus::kDone);
  EXPECT_TRUE(runs[0].jobs[0].end);
  EXPECT_FALSE(runs[1].jobs[0].end);
}

TEST(RunRecord, LinesThatAreThereTwiceAreOneRun) {
  RunRecord run = Begun("1");
  run.end = RunEnd{.micros = 9};
  const std::string text = BeginLine(run) + EndLine(run);
  EXPECT_EQ(ParseRuns(text + SkippedLine(Begun("2")) + text).size(), 2u);
}

// Whatever a crash left of a line, and wherever: the other runs are still read.
TEST(RunRecord, ATornLineIsLeftOut) {
  RunRecord run = Begun("1");
  run.end = RunEnd{.micros = 9};
  const std::string whole = BeginLine(run) + EndLine(run);
  const std::string last = BeginLine(Begun("2"));
  for (size_t bytes = 0; bytes + 1 < last.size(); ++bytes) {
    const std::string torn = last.substr(0, bytes);
    EXPECT_EQ(ParseRuns(whole + torn).size(), 1u) << torn;
    EXPECT_EQ(ParseRuns(torn + "\n" + whole).size(), 1u) << torn;
  }
  for (const char* line : {"[]", "1", "{}", "{\"run\":\"9\"}", "{\"run\":\"1\",\"job\":\"none\"}",
                           "{\"run\":\"9\",\"exit_code\":0}", "{\"began\":\"yesterday\"}"}) {
    const std::vector<RunRecord> runs = ParseRuns(whole + line + "\n");
    ASSERT_EQ(runs.size(), 1u) << line;
    EXPECT_EQ(runs[0].status, RunStatus::kDone) << line;
  }
}

TEST(RunRecord, LongMessagesAreCut) {
  RunRecord run = Begun("1");
  run.end = RunEnd{.micros = 9, .exit_code = 3, .error = "io_error", .message = ""};
  run.end->message = std::string(100'000, 'x');
  EXPECT_LT(EndLine(run).size(), 1'000u);
}

}  // namespace
}  // namespace recall
