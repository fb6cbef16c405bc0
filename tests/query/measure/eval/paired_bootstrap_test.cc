#include "query/measure/eval/paired_bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "storage/base/split_mix.h"

namespace recall {
namespace {

using Groups = std::vector<std::vector<double>>;

TEST(PairedBootstrap, TheGeneratorIsSplitMix64) {
  // The first numbers for the seed 1234567, as published with the algorithm.
  SplitMix64 random(1234567);
  EXPECT_EQ(random.Next(), 6457827717110365317u);
  EXPECT_EQ(random.Next(), 3203168211198807973u);
  EXPECT_EQ(random.Next(), 9817491932198370423u);
}

TEST(PairedBootstrap, NoDifferenceIsNone) {
  const PairedDifference none = PairedBootstrap(Groups{{0, 0, 0}});
  EXPECT_EQ(none.difference, 0);
  EXPECT_EQ(none.low, 0);
  EXPECT_EQ(none.high, 0);
  EXPECT_EQ(none.p, 1);
}

TEST(PairedBootstrap, TheSameDifferenceEverywhereIsCertain) {
  // Every resample has mean 0.25, so none is at most 0: p = 2 * (0 + 1) / (10000 + 1).
  const PairedDifference certain = PairedBootstrap(Groups{{0.25, 0.25, 0.25, 0.25}});
  EXPECT_EQ(certain.difference, 0.25);
  EXPECT_EQ(certain.low, 0.25);
  EXPECT_EQ(certain.high, 0.25);
  EXPECT_DOUBLE_EQ(certain.p, 2.0 / 10001);
}

// The means of all n^n resamples, which many random resamples approximate.
std::vector<double> AllMeans(const std::vector<double>& group) {
  std::vector<double> means;
  std::vector<size_t> picks(group.size(), 0);
  for (;;) {
    double sum = 0;
    for (const size_t pick : picks) sum += group[pick];
    means.push_back(sum / static_cast<double>(group.size()));
    size_t digit = 0;
    while (digit < picks.size() && ++picks[digit] == group.size()) picks[digit++] = 0;
    if (digit == picks.size()) break;
  }
  std::sort(means.begin(), means.end());
  return means;
}

TEST(PairedBootstrap, ComesNearToAllResamples) {
  const std::vector<double> group = {0.31, -0.12, 0.22, 0.05, -0.07, 0.18};
  const std::vector<double> all = AllMeans(group);  // 46,656
  const auto share = [&](double at) {
    return static_cast<double>(std::upper_bound(all.begin(), all.end(), at) - all.begin()) /
           static_cast<double>(all.size());
  };
  const PairedDifference paired = PairedBootstrap(Groups{group});
  EXPECT_NEAR(paired.difference, 0.095, 1e-12);
  // Standard deviation of a share of .025 in 10,000 resamples: .0016; of .05, twice a share: .0044.
  EXPECT_NEAR(share(paired.low), 0.025, 0.008);
  EXPECT_NEAR(share(paired.high), 0.975, 0.008);
  EXPECT_NEAR(paired.p, 2 * share(0), 0.015);
  EXPECT_GT(paired.p, 0.05);  // the case is not trivial
  EXPECT_LT(paired.p, 0.5);
}

TEST(PairedBootstrap, TheOtherWayRoundIsTheMirrorImage) {
  const std::vector<double> group = {0.31, -0.12, 0.22, 0.05, -0.07, 0.18};
  std::vector<double> negated;
  for (const double value : group) negated.push_back(-value);
  const PairedDifference there = PairedBootstrap(Groups{group});
  const PairedDifference back = PairedBootstrap(Groups{negated});
  EXPECT_EQ(back.difference, -there.difference);
  EXPECT_EQ(back.p, there.p);
  EXPECT_NEAR(back.low, -there.high, 0.005);
  EXPECT_NEAR(back.high, -there.low, 0.005);
}

TEST(PairedBootstrap, GroupsCountTheSameWhateverTheirSize) {
  // The group means are 0.5 and 0.1. The result is their mean 0.3, not that of the five values.
  const PairedDifference paired = PairedBootstrap(Groups{{0.5, 0.5, 0.5, 0.5}, {0.1}});
  EXPECT_DOUBLE_EQ(paired.difference, 0.3);
  EXPECT_DOUBLE_EQ(paired.low, 0.3);
}

TEST(PairedBootstrap, ItsIntervalIsThatOfTheNormalLawForManyQueries) {
  // A thousand values spread evenly from -0.4 to 0.6 have mean 0.1 and deviation sqrt(1/12), so the
  // interval is 0.1 -+ 1.96 * 0.288675 / sqrt(1000) = 0.1 -+ 0.017892.
  std::vector<double> group;
  for (int i = 0; i < 1000; ++i) group.push_back(-0.4 + (i + 0.5) / 1000);
  const PairedDifference paired = PairedBootstrap(Groups{group});
  EXPECT_NEAR(paired.low, 0.1 - 0.017892, 0.001);
  EXPECT_NEAR(paired.high, 0.1 + 0.017892, 0.001);
}

TEST(PairedBootstrap, TheSameSeedGivesTheSameFigures) {
  const Groups groups = {{0.3, -0.1, 0.2}, {0.0, 0.1}};
  const PairedDifference once = PairedBootstrap(groups);
  const PairedDifference again = PairedBootstrap(groups);
  EXPECT_EQ(once.low, again.low);
  EXPECT_EQ(once.high, again.high);
  EXPECT_EQ(once.p, again.p);
  const PairedDifference other = PairedBootstrap(groups, kBootstrapResamples, 7);
  EXPECT_NE(once.p, other.p);
}

}  // namespace
}  // namespace recall
