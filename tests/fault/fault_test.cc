// Every operation of every scenario fails once: the n-th write, sync, read, allocation ..., or the
// power fails before the n-th change of a file. Afterwards the store must be sound and contain the
// old or the new state completely, and the new one if success was reported; and running the
// scenario again must succeed.
//
// ctest tests a sample of n for each kind; RECALL_EVERY_FAULT=1 (./x stress --faults) tests all.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <span>
#include <vector>

#include "tests/fault/child_process.h"
#include "tests/fault/fault_rig.h"

namespace recall {
namespace {

bool EveryFault() { return std::getenv("RECALL_EVERY_FAULT") != nullptr; }

// A sample of 1 .. count, or all.
std::set<int64_t> Moments(int64_t count, int64_t samples) {
  std::set<int64_t> moments;
  for (int64_t n = 1; n <= count; ++n) {
    if (EveryFault()) moments.insert(n);
  }
  for (int64_t i = 1; i <= samples && count > 0; ++i) moments.insert(1 + (count - 1) * i / samples);
  return moments;
}

class FaultTest : public ::testing::TestWithParam<std::tuple<size_t, std::string>> {
 protected:
  // Uses a file system in memory if there is one, where a sync costs nothing.
  static void SetUpTestSuite() {
    if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
  }

  FaultTest() : rig_(AllScenarios().at(std::get<0>(GetParam())), std::get<1>(GetParam())) {}

  void SetUp() override { ASSERT_EQ(rig_.broken(), ""); }

  void Try(const FaultPlan& plan) { Expect(plan, rig_.Try(plan)); }

  void TryAll(std::span<const FaultPlan> plans) {
    while (!plans.empty()) {
      std::string wrong;
      const size_t tried = rig_.TrySome(plans.first(std::min<size_t>(plans.size(), 64)), &wrong);
      tried_ += static_cast<int64_t>(tried - 1);
      Expect(plans[tried - 1], wrong);
      plans = plans.subspan(tried);
    }
  }

  void Expect(const FaultPlan& plan, const std::string& wrong) {
    ++tried_;
    EXPECT_EQ(wrong, "") << FaultKindName(plan.kind) << " " << plan.nth
                         << (plan.from_then_on ? " and from then on" : "") << ", survivors "
                         << static_cast<int>(plan.survivors) << ", seed " << plan.seed;
  }

  void LetOperationsFail();
  void LetThePowerGo();
  void FindOutADiskThatLies();
  void FindOutALostWrite();

  FaultRig rig_;
  int64_t tried_ = 0;
};

void FaultTest::LetOperationsFail() {
  for (const FaultKind kind : kAllFaultKinds) {
    if (kind == FaultKind::kPower) continue;
    // Both plans let the n-th operation fail first. For allocations one plan per n is enough.
    const bool both = EveryFault() && kind != FaultKind::kAllocation;
    std::vector<FaultPlan> plans;
    for (const int64_t n : Moments(rig_.Count(kind), 2)) {
      if (both || n % 2 == 0) plans.push_back({.kind = kind, .nth = n});
      if (both || n % 2 == 1) plans.push_back({.kind = kind, .nth = n, .from_then_on = true});
    }
    TryAll(plans);
  }
}

void FaultTest::LetThePowerGo() {
  const uint64_t seed = TestSeed(1);
  // One more, for a power failure after success was reported.
  const int64_t count = rig_.Count(FaultKind::kPower) + 1;
  for (const int64_t n : Moments(count, 6)) {
    const auto some = static_cast<uint64_t>(n) * 100 + seed;
    if (EveryFault() || n % 3 == 0 || n == count) Try({.kind = FaultKind::kPower, .nth = n});
    for (uint64_t i = 0; i < (EveryFault() ? 3 : 1); ++i) {
      Try({.kind = FaultKind::kPower, .nth = n, .survivors = Survivors::kSome, .seed = some + i});
    }
  }
}

// A control: durability must depend on syncs, otherwise the test could not detect a missing one.
void FaultTest::FindOutADiskThatLies() {
  const int64_t end = rig_.Count(FaultKind::kPower) + 1000;  // after success was reported
  EXPECT_NE(rig_.Try({.kind = FaultKind::kPower, .nth = end, .syncs_lie = true}), "");
  EXPECT_NE(rig_.Try({.kind = FaultKind::kPower, .nth = end, .synchronous_off = true}), "");
}

// A control, too. Not every lost write matters: the copies of pages in a rollback journal are only
// read after a failure.
void FaultTest::FindOutALostWrite() {
  bool found = false;
  for (const int64_t n : Moments(rig_.Count(FaultKind::kWrite), 48)) {
    if (found) break;
    found = !rig_.Try({.kind = FaultKind::kWrite, .nth = n, .writes_lie = true}).empty();
  }
  EXPECT_TRUE(found);
}

TEST_P(FaultTest, LeavesTheOldStateOrTheNewOne) {
  LetOperationsFail();
  LetThePowerGo();
  if (EveryFault()) std::printf("%lld faults\n", static_cast<long long>(tried_));
  if (rig_.scenario().read) return;  // a reading scenario writes nothing that could be lost
  FindOutADiskThatLies();
  FindOutALostWrite();
}

// Fails every allocation of opening a store and of ending a read transaction, in one process.
TEST(AllocationTest, WithoutMemoryNothingElseIsBlamed) {
  const TempDir dir;
  const std::string path = dir / "recall.db";
  const ChildOutcome outcome = RunInChild([&]() -> std::string {
    InstallFaultVfs();
    if (auto made = Database::Create(path, {}); !made) return made.error().ToString();
    auto database = Database::Open(path);
    if (!database) return database.error().ToString();
    std::string wrong;
    bool happened = true;
    for (int64_t n = 1; happened; ++n) {
      ArmFault({.kind = FaultKind::kAllocation, .nth = n});
      const Status opened = internal::ToStatus(Database::Open(path));
      const Status read = internal::ToStatus((*database)->Stats());
      happened = DisarmFault().happened;
      const auto after = (*database)->Stats();
      if (!after) wrong += std::to_string(n) + " later: " + after.error().ToString() + "\n";
      for (const Status& status : {opened, read}) {
        const bool clean = status.ok() || status.code() == StatusCode::kNotEnoughMemory ||
                           status.code() == StatusCode::kIoError;
        if (!clean) wrong += std::to_string(n) + ": " + status.ToString() + "\n";
      }
    }
    return wrong;
  });
  EXPECT_EQ(outcome.exit_code, 0) << Describe(outcome);
  EXPECT_EQ(outcome.output, "");
}

std::string NameOf(const ::testing::TestParamInfo<FaultTest::ParamType>& info) {
  return AllScenarios().at(std::get<0>(info.param)).name + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, FaultTest,
                         ::testing::Combine(::testing::Range<size_t>(0, AllScenarios().size()),
                                            ::testing::Values("wal", "delete")),
                         NameOf);

}  // namespace
}  // namespace recall
