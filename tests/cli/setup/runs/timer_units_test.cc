#include "cli/setup/runs/timer_units.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/test_util.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMinute = 60'000'000'000;

class TimerUnitsTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(::setenv("XDG_CONFIG_HOME", home_.path().c_str(), 1), 0); }
  void TearDown() override { ::unsetenv("XDG_CONFIG_HOME"); }

  static TimerRequest Nightly() {
    TimerRequest request;
    request.name = "notes";
    request.program = "/usr/bin/recall";
    request.store = "/home/ann/notes/recall.db";
    request.arguments = {"run", "--store", request.store, "capture", "add"};
    return request;
  }
  std::string Unit(const std::string& name) const {
    std::ifstream file(home_ / ("systemd/user/" + name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void Carry(const Result<UnitPlans>& plans) {
    ASSERT_TRUE(plans.has_value()) << plans.error().ToString();
    ASSERT_OK(CarryOut(*plans));
  }
  bool HasNothing() const { return fs::is_empty(home_.path()); }

  TempDir home_;
};

TEST_F(TimerUnitsTest, AreAServiceAndItsTimer) {
  Carry(PlanTimer(Nightly(), false));
  const std::string service = Unit("recall-run-notes.service");
  EXPECT_NE(service.find("\nType=oneshot\nExecStart=\"/usr/bin/recall\" \"run\" \"--store\" "
                         "\"/home/ann/notes/recall.db\" \"capture\" \"add\"\n"),
            std::string::npos)
      << service;
  const std::string timer = Unit("recall-run-notes.timer");
  EXPECT_NE(timer.find("\n[Timer]\nOnCalendar=*-*-* 03:00:00\nPersistent=true\n"),
            std::string::npos)
      << timer;
  EXPECT_NE(timer.find("\n[Install]\nWantedBy=timers.target\n"), std::string::npos);
}

TEST_F(TimerUnitsTest, WordsReachTheProgramAsTheyAre) {
  TimerRequest request = Nightly();
  request.program = "/opt/a b/50%/$x/recall";
  request.arguments = {"run", "--known", "/a b/\"c\"\\d", "100%", "$HOME"};
  request.environment = {"XDG_STATE_HOME=/a b/%h"};
  Carry(PlanTimer(request, false));
  const std::string service = Unit("recall-run-notes.service");
  EXPECT_NE(service.find("\nEnvironment=\"XDG_STATE_HOME=/a b/%%h\"\n"
                         "ExecStart=\"/opt/a b/50%%/$x/recall\" \"run\" \"--known\" "
                         "\"/a b/\\\"c\\\"\\\\d\" \"100%%\" \"$$HOME\"\n"),
            std::string::npos)
      << service;
  request.arguments = {"run", "--known", "/a\nExecStart=/bin/evil"};
  EXPECT_EQ(PlanTimer(request, true).error().code(), StatusCode::kInvalidArgument);
}

TEST_F(TimerUnitsTest, AreRemovedToTheByteWithTheirLink) {
  Carry(PlanTimer(Nightly(), false));
  const fs::path units = home_ / "systemd/user";
  fs::create_directory(units / "timers.target.wants");
  fs::create_symlink(units / "recall-run-notes.timer",
                     units / "timers.target.wants/recall-run-notes.timer");
  Carry(PlanNoTimer("notes", false));
  EXPECT_TRUE(HasNothing());
  Carry(PlanNoTimer("notes", false));  // there is nothing to remove
  EXPECT_TRUE(HasNothing());
}

TEST_F(TimerUnitsTest, WhatOthersMadeStays) {
  const fs::path units = home_ / "systemd/user";
  fs::create_directories(units / "timers.target.wants");
  std::ofstream(units / "backup.timer") << "[Timer]\n";
  fs::create_symlink(units / "backup.timer", units / "timers.target.wants/backup.timer");
  Carry(PlanTimer(Nightly(), false));
  Carry(PlanNoTimer("notes", false));
  EXPECT_EQ(Unit("backup.timer"), "[Timer]\n");
  EXPECT_TRUE(fs::is_symlink(units / "timers.target.wants/backup.timer"));
  EXPECT_FALSE(fs::exists(units / "recall-run-notes.service"));
}

TEST_F(TimerUnitsTest, TheSameAgainChangesNothingAndOtherJobsReplace) {
  Carry(PlanTimer(Nightly(), false));
  const UnitPlans again = Must(PlanTimer(Nightly(), false));
  EXPECT_EQ(again[0].state, UnitState::kSame);
  EXPECT_EQ(again[1].state, UnitState::kSame);
  TimerRequest request = Nightly();
  request.arguments.back() = "doctor";
  const UnitPlans other = Must(PlanTimer(request, false));
  EXPECT_EQ(other[0].state, UnitState::kOurs);
  EXPECT_EQ(other[1].state, UnitState::kSame);
  Carry(other);
  EXPECT_NE(Unit("recall-run-notes.service").find("\"capture\" \"doctor\"\n"), std::string::npos);
}

TEST_F(TimerUnitsTest, ChangedUnitsAndThoseOfAnotherStoreNeedForce) {
  Carry(PlanTimer(Nightly(), false));
  TimerRequest other = Nightly();
  other.store = "/home/ann/work/notes/recall.db";
  EXPECT_EQ(PlanTimer(other, false).error().code(), StatusCode::kAlreadyExists);
  EXPECT_OK(PlanTimer(other, true));

  const std::string file = home_ / "systemd/user/recall-run-notes.timer";
  std::ofstream(file, std::ios::app) << "# mine\n";
  EXPECT_EQ(PlanTimer(Nightly(), false).error().code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(PlanNoTimer("notes", false).error().code(), StatusCode::kAlreadyExists);
  EXPECT_NE(Unit("recall-run-notes.timer").find("# mine\n"), std::string::npos);
  Carry(PlanNoTimer("notes", true));
  EXPECT_TRUE(HasNothing());
}

TEST_F(TimerUnitsTest, TimesOfADay) {
  EXPECT_EQ(Must(CalendarAt("03:00")), "*-*-* 03:00:00");
  EXPECT_EQ(Must(CalendarAt("23:59")), "*-*-* 23:59:00");
  for (const char* time : {"", "3:00", "24:00", "03:60", "03-00", "03:00:00", "0a:00", "aa:bb"}) {
    EXPECT_EQ(CalendarAt(time).error().code(), StatusCode::kInvalidArgument) << time;
  }
}

TEST_F(TimerUnitsTest, LengthsThatDivideAnHourOrADay) {
  EXPECT_EQ(Must(CalendarEvery(kMinute)), "*-*-* *:00/01:00");
  EXPECT_EQ(Must(CalendarEvery(15 * kMinute)), "*-*-* *:00/15:00");
  EXPECT_EQ(Must(CalendarEvery(60 * kMinute)), "*-*-* *:00:00");
  EXPECT_EQ(Must(CalendarEvery(6 * 60 * kMinute)), "*-*-* 00/06:00:00");
  EXPECT_EQ(Must(CalendarEvery(24 * 60 * kMinute)), "*-*-* 00:00:00");
  for (const int64_t minutes : {0, 7, 90, 5 * 60, 48 * 60}) {
    EXPECT_EQ(CalendarEvery(minutes * kMinute).error().code(), StatusCode::kInvalidArgument)
        << minutes;
  }
  EXPECT_EQ(CalendarEvery(kMinute / 2).error().code(), StatusCode::kInvalidArgument);
}

TEST_F(TimerUnitsTest, NamesOfStores) {
  EXPECT_EQ(TimerNameOf("/home/ann/notes/recall.db"), "notes");
  EXPECT_EQ(TimerNameOf("/home/ann/v1.2/recall.db"), "v1.2");
  EXPECT_EQ(TimerNameOf("/home/ann/work.db"), "work");
  EXPECT_EQ(TimerNameOf("/home/ann/my notes/recall.db"), "my-notes");
  EXPECT_EQ(TimerNameOf("postgres://ann@db.example/team?x=y"), "team");
  EXPECT_EQ(TimerNameOf("/recall.db"), "store");
  EXPECT_OK(CheckTimerName("v1.2_a-B"));
  for (const std::string& name : {std::string(), std::string("a b"), std::string("a/b"),
                                  std::string("a%b"), std::string(101, 'a')}) {
    EXPECT_EQ(CheckTimerName(name).code(), StatusCode::kInvalidArgument) << name;
  }
}

}  // namespace
}  // namespace recall
