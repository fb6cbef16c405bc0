#include "index/search/vector/sign_code_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <utility>

#include "simd/kernels.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr uint16_t kMaxScore = 300;

// Scores whose positions have gaps, and the same in the order in which they must be taken.
class SignCodeScoresTest : public ::testing::Test {
 protected:
  // `distinct`: the number of different scores. A tenth of the vectors does not count.
  void Fill(size_t blocks, uint16_t distinct) {
    scores_.emplace(kMaxScore);
    order_.clear();
    uint32_t position = 5;
    while (blocks > 0) {
      const size_t count = std::min<size_t>(blocks, 1 + random_() % 70);
      uint16_t* const ranks = scores_->Append(position, count);
      for (uint32_t i = 0; i < count * kSignCodeBlock; ++i) {
        const auto score = static_cast<uint16_t>(kMaxScore - random_() % distinct);
        const bool counts = random_() % 10 != 0;
        ranks[i] = static_cast<uint16_t>(counts ? score + 1 : 0);
        if (counts) order_.emplace_back(-score, position + i);
      }
      position += static_cast<uint32_t>(count * kSignCodeBlock + 7);
      blocks -= count;
    }
    std::ranges::sort(order_);
  }

  std::vector<uint16_t> RandomRanks() {
    std::vector<uint16_t> ranks(kSignCodeBlock);
    for (uint16_t& rank : ranks) rank = static_cast<uint16_t>(random_() % (kMaxScore + 2));
    return ranks;
  }

  std::vector<uint32_t> Positions(size_t first, size_t last) const {
    std::vector<uint32_t> positions;
    for (size_t i = first; i < std::min(last, order_.size()); ++i) {
      positions.push_back(order_[i].second);
    }
    std::ranges::sort(positions);
    return positions;
  }
  int ScoreAt(size_t i) const { return -order_[i].first; }
  size_t CountReaching(int least) const {
    return static_cast<size_t>(
        std::ranges::count_if(order_, [&](const auto& of) { return -of.first >= least; }));
  }

  std::mt19937_64 random_{TestSeed(20261201)};
  std::optional<SignCodeScores> scores_;
  std::vector<std::pair<int, uint32_t>> order_;  // (-score, position)
};

TEST_F(SignCodeScoresTest, TakesTheBestInTheOrderOfScoreAndPosition) {
  for (const uint16_t distinct : std::to_array<uint16_t>({1, 2, 30, 301})) {
    for (const size_t blocks : {1, 40, 1500}) {
      for (const size_t rank : {1, 10, 1000}) {
        for (const size_t most : {rank, 4 * rank}) {
          Fill(blocks, distinct);
          const int last = rank <= order_.size() ? ScoreAt(rank - 1) : 0;
          const size_t first = std::min(CountReaching(last), most);
          ASSERT_EQ(scores_->TakeBest(rank, most), Positions(0, first));
          // What was taken is not taken again.
          const int least = std::max(last - 1, 0);
          const size_t further = std::min(CountReaching(least), first + 500);
          ASSERT_EQ(scores_->TakeReaching(static_cast<uint16_t>(least), 500),
                    Positions(first, further))
              << distinct << " scores, " << blocks << " blocks, rank " << rank;
        }
      }
    }
  }
}

TEST_F(SignCodeScoresTest, ALeastScoreAboveAllTakesNothing) {
  Fill(3, 10);
  EXPECT_TRUE(scores_->TakeReaching(uint16_t{kMaxScore + 1}, 100).empty());
  EXPECT_TRUE(scores_->TakeReaching(0, 0).empty());
  EXPECT_EQ(scores_->TakeReaching(0, 1000), Positions(0, order_.size()));
}

TEST_F(SignCodeScoresTest, PartsAreMergedInOrder) {
  SignCodeScores whole(kMaxScore);
  SignCodeScores parts[] = {SignCodeScores(kMaxScore), SignCodeScores(kMaxScore)};
  for (uint32_t block = 0; block < 2000; ++block) {
    std::vector<uint16_t> ranks = RandomRanks();
    std::ranges::copy(ranks, whole.Append(block * 32, 1));
    std::ranges::copy(ranks, parts[block / 1000].Append(block * 32, 1));
  }
  SignCodeScores merged(kMaxScore);
  for (const SignCodeScores& part : parts) merged.Merge(part);
  EXPECT_EQ(merged.TakeBest(1000, 4000), whole.TakeBest(1000, 4000));
}

TEST_F(SignCodeScoresTest, NoScores) {
  EXPECT_TRUE(SignCodeScores(kMaxScore).TakeBest(10, 40).empty());
  EXPECT_TRUE(SignCodeScores(kMaxScore).TakeReaching(0, 40).empty());
}

}  // namespace
}  // namespace recall
