// Every operation of every scenario fails once: the n-th write, sync, read, allocation ..., or the
// power goes before the n-th change of a file. Afterwards the store is sound, it holds the old or
// the new state as a whole, and the new one if success was reported; and the same can be done
// again.
//
// Under ctest some n of each kind; with RECALL_EVERY_FAULT=1 (./x stress --faults) every n.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <set>

#include "tests/fault/fault_rig.h"

namespace recall {
namespace {

bool EveryFault() { return std::getenv("RECALL_EVERY_FAULT") != nullptr; }

// Some of 1 .. count, or all.
std::set<int64_t> Moments(int64_t count, int64_t samples) {
  std::set<int64_t> moments;
  for (int64_t n = 1; n <= count; ++n) {
    if (EveryFault()) moments.insert(n);
  }
  for (int64_t i = 1; i <= samples && count > 0; ++i) moments.insert(1 + (count - 1) * i / samples);
  return moments;
}

class FaultTest : public ::testing::TestWithParam<std::tuple<size_t, const char*>> {
 protected:
  // Where a sync costs nothing, when there is such a place.
  static void SetUpTestSuite() {
    if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
  }

  FaultTest() : rig_(AllScenarios().at(std::get<0>(GetParam())), std::get<1>(GetParam())) {}

  void SetUp() override { ASSERT_EQ(rig_.broken(), ""); }

  void Try(const FaultPlan& plan) {
    ++tried_;
    const std::string wrong = rig_.Try(plan);
    EXPECT_EQ(wrong, "") << FaultKindName(plan.kind) << " " << plan.nth
                         << (plan.from_then_on ? " and from then on" : "") << ", survivors "
                         << static_cast<int>(plan.survivors) << ", seed " << plan.seed;
  }

  void Report() const {
    if (EveryFault()) std::printf("%lld faults\n", static_cast<long long>(tried_));
  }

  FaultRig rig_;
  int64_t tried_ = 0;
};

TEST_P(FaultTest, AnOperationFails) {
  for (const FaultKind kind : kAllFaultKinds) {
    if (kind == FaultKind::kPower) continue;
    // Memory that is gone for good fails at the same places as memory that fails once.
    const bool both = EveryFault() && kind != FaultKind::kAllocation;
    for (const int64_t n : Moments(rig_.Count(kind), 3)) {
      if (both || n % 2 == 0) Try({.kind = kind, .nth = n});
      if (both || n % 2 == 1) Try({.kind = kind, .nth = n, .from_then_on = true});
    }
  }
  Report();
}

TEST_P(FaultTest, ThePowerGoes) {
  const uint64_t seed = TestSeed(1);
  // One more: everything is done and success was reported.
  const int64_t count = rig_.Count(FaultKind::kPower) + 1;
  for (const int64_t n : Moments(count, 8)) {
    const auto some = static_cast<uint64_t>(n) * 100 + seed;
    if (EveryFault() || n % 3 == 0 || n == count) Try({.kind = FaultKind::kPower, .nth = n});
    for (uint64_t i = 0; i < (EveryFault() ? 3 : 1); ++i) {
      Try({.kind = FaultKind::kPower, .nth = n, .survivors = Survivors::kSome, .seed = some + i});
    }
  }
  Report();
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
