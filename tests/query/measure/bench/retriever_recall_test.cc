#include "query/measure/bench/retriever_recall.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

std::vector<SearchHit> Hits(const std::vector<double>& cosines) {
  std::vector<SearchHit> hits;
  for (const double cosine : cosines) {
    hits.emplace_back().explain.emplace().semantic = cosine;
  }
  return hits;
}

TEST(ShareFound, CountsWhatIsMissing) {
  const auto exact = Hits({0.9, 0.8, 0.7, 0.6});
  EXPECT_EQ(ShareFound(exact, exact, 4), 1);
  EXPECT_EQ(ShareFound(exact, Hits({0.9, 0.7, 0.6, 0.5}), 4), 0.75);
  EXPECT_EQ(ShareFound(exact, Hits({0.9, 0.7, 0.6, 0.5}), 2), 0.5);
  EXPECT_EQ(ShareFound(exact, {}, 4), 0);
}

TEST(ShareFound, EquallyNearIsAsGood) {
  EXPECT_EQ(ShareFound(Hits({0.9, 0.8, 0.8}), Hits({0.9, 0.8}), 2), 1);
}

TEST(ShareFound, FewerThanAskedForAreAll) {
  EXPECT_EQ(ShareFound(Hits({0.9, 0.8}), Hits({0.9, 0.8}), 10), 1);
  EXPECT_EQ(ShareFound({}, {}, 10), 1);
}

// Only the first k results count.
TEST(ShareFound, OnlyTheFirstOfWhatWasFound) {
  EXPECT_EQ(ShareFound(Hits({0.9, 0.8}), Hits({0.9, 0.8, 0.8}), 1), 1);
  EXPECT_EQ(ShareFound(Hits({0.9, 0.8, 0.7}), Hits({0.8, 0.7}), 2), 0.5);
}

}  // namespace
}  // namespace recall
