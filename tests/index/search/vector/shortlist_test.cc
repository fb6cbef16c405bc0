#include "index/search/vector/shortlist.h"

#include <random>

#include "tests/test_util.h"

namespace recall {
namespace {

using Scores = std::vector<uint16_t>;  // of positions 0, 1, 2, ...

// The definition: sorted by descending score, then by position.
std::vector<uint32_t> SlowPositions(const Scores& scores, size_t depth) {
  std::vector<uint32_t> positions(scores.size());
  for (uint32_t i = 0; i < scores.size(); ++i) positions[i] = i;
  std::stable_sort(positions.begin(), positions.end(),
                   [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
  positions.resize(std::min(depth, positions.size()));
  std::sort(positions.begin(), positions.end());
  return positions;
}

std::vector<Scores> SampleScores(std::mt19937_64& random) {
  std::vector<Scores> samples;
  for (const uint32_t distinct : {1u, 2u, 17u, 2000u}) {
    for (const size_t count : {0u, 1u, 50u, 9000u}) {
      Scores scores(count);
      for (uint16_t& score : scores) score = static_cast<uint16_t>(random() % distinct);
      samples.push_back(scores);
      std::sort(scores.begin(), scores.end());
      samples.push_back(scores);
    }
  }
  return samples;
}

TEST(ShortlistTest, EqualsSorting) {
  std::mt19937_64 random(TestSeed(1));
  for (const Scores& scores : SampleScores(random)) {
    for (const size_t depth : {1u, 2u, 50u, 51u, 1000u, 20'000u}) {
      Shortlist shortlist(depth, 2000);
      for (uint32_t i = 0; i < scores.size(); ++i) shortlist.Push(scores[i], i);
      EXPECT_EQ(shortlist.size(), std::min(scores.size(), depth));
      EXPECT_EQ(shortlist.Positions(), SlowPositions(scores, depth)) << depth;
    }
  }
}

TEST(ShortlistTest, TellsTheScoreOfARankAndWhoseScoreIsHighEnough) {
  std::mt19937_64 random(TestSeed(4));
  for (Scores scores : SampleScores(random)) {
    Shortlist shortlist(50, 2000);
    for (uint32_t i = 0; i < scores.size(); ++i) shortlist.Push(scores[i], i);
    const std::vector<uint32_t> best = SlowPositions(scores, 50);
    for (const uint16_t least : Scores{0, 1, 16, 1500, 1990}) {
      std::vector<uint32_t> expected;
      std::ranges::copy_if(best, std::back_inserter(expected),
                           [&](uint32_t position) { return scores[position] >= least; });
      EXPECT_EQ(shortlist.Positions(least), expected) << least;
    }
    std::sort(scores.begin(), scores.end(), std::greater<>());
    for (const size_t rank : {1u, 2u, 49u, 50u}) {
      EXPECT_EQ(shortlist.ScoreOfRank(rank), scores.size() < rank ? 0 : scores[rank - 1]);
    }
  }
}

TEST(ShortlistTest, ScoresBelowTheLeastDoNotCount) {
  std::mt19937_64 random(TestSeed(5));
  for (const Scores& scores : SampleScores(random)) {
    for (const uint16_t least : Scores{1, 2, 16, 1500}) {
      for (const size_t depth : {1u, 30u, 20'000u}) {
        Shortlist shortlist(depth, 2000, least);
        for (uint32_t i = 0; i < scores.size(); ++i) shortlist.Push(scores[i], i);
        std::vector<uint32_t> expected = SlowPositions(scores, depth);
        std::erase_if(expected, [&](uint32_t position) { return scores[position] < least; });
        EXPECT_EQ(shortlist.Positions(), expected) << least << " " << depth;
      }
    }
  }
}

TEST(ShortlistTest, LeastIsTheScoreOfTheWorstAtAnyTime) {
  std::mt19937_64 random(TestSeed(2));
  constexpr size_t kDepth = 30;
  for (const Scores& scores : SampleScores(random)) {
    Shortlist shortlist(kDepth, 2000);
    Scores best;
    for (uint32_t i = 0; i < std::min<size_t>(scores.size(), 400); ++i) {
      shortlist.Push(scores[i], i);
      best.insert(std::upper_bound(best.begin(), best.end(), scores[i], std::greater<>()),
                  scores[i]);
      ASSERT_EQ(shortlist.size(), std::min(best.size(), kDepth));
      ASSERT_EQ(shortlist.least(), best.size() < kDepth ? 0 : best[kDepth - 1]) << i;
    }
  }
}

TEST(ShortlistTest, TheOrderOfPushesMakesNoDifference) {
  std::mt19937_64 random(TestSeed(6));
  for (const Scores& scores : SampleScores(random)) {
    std::vector<uint32_t> order(scores.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    for (const size_t depth : {1u, 2u, 50u, 1000u}) {
      std::ranges::shuffle(order, random);
      Shortlist shuffled(depth, 2000);
      for (const uint32_t i : order) shuffled.Push(scores[i], i);
      EXPECT_EQ(shuffled.Positions(), SlowPositions(scores, depth)) << depth;
    }
  }
}

TEST(ShortlistTest, MergedPartsEqualTheWhole) {
  std::mt19937_64 random(TestSeed(3));
  for (const Scores& scores : SampleScores(random)) {
    for (const size_t depth : {1u, 40u, 3000u}) {
      const size_t parts = 1 + random() % 5;
      std::vector<Shortlist> lists(parts, Shortlist(depth, 2000));
      for (uint32_t i = 0; i < scores.size(); ++i) {
        lists[i * parts / scores.size()].Push(scores[i], i);
      }
      for (size_t part = 1; part < parts; ++part) lists[0].Merge(lists[part]);
      EXPECT_EQ(lists[0].Positions(), SlowPositions(scores, depth)) << parts;
    }
  }
}

}  // namespace
}  // namespace recall
