// The measures, compared with values computed by hand.

#include "query/measure/eval/judging.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace recall {
namespace {

std::vector<uint32_t> Upwards(uint32_t first, size_t count) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

TEST(Judging, AGradedRankingByHand) {
  // Relevant: document 1 with gain 3, 2 with gain 2, 3 with gain 1. The ranking is 9 2 8 1.
  //   DCG   = 2/log2(3) + 3/log2(5)             = 1.261860 + 1.292030 = 2.553889
  //   ideal = 3/log2(2) + 2/log2(3) + 1/log2(4) = 3 + 1.261860 + 0.5  = 4.761860
  //   nDCG  = 2.553889 / 4.761860               = 0.536322
  // Two of three relevant documents are found; the first has rank 2.
  const RankQuality quality =
      JudgeRanking(std::vector<uint32_t>{9, 2, 8, 1}, {{1, 3.0}, {2, 2.0}, {3, 1.0}});
  EXPECT_NEAR(quality.ndcg_at_10, 0.536322, 1e-6);
  EXPECT_DOUBLE_EQ(quality.recall_at_100, 2.0 / 3);
  EXPECT_DOUBLE_EQ(quality.mrr_at_10, 0.5);
}

TEST(Judging, TheBestOrderIsOneAndNothingIsZero) {
  const Relevance relevant = {{1, 3.0}, {2, 2.0}, {3, 1.0}};
  const RankQuality best = JudgeRanking(std::vector<uint32_t>{1, 2, 3, 4}, relevant);
  EXPECT_DOUBLE_EQ(best.ndcg_at_10, 1);
  EXPECT_DOUBLE_EQ(best.recall_at_100, 1);
  EXPECT_DOUBLE_EQ(best.mrr_at_10, 1);
  for (const auto& ranking : {std::vector<uint32_t>{}, std::vector<uint32_t>{7, 8}}) {
    const RankQuality none = JudgeRanking(ranking, relevant);
    EXPECT_EQ(none.ndcg_at_10, 0);
    EXPECT_EQ(none.recall_at_100, 0);
    EXPECT_EQ(none.mrr_at_10, 0);
  }
}

TEST(Judging, TheGainIsLinear) {
  // Gain 1 ranks before gain 3: (1 + 3/log2(3)) / (3 + 1/log2(3)) = 2.892789 / 3.630930 = 0.796708.
  // Gains of 2^g - 1 would give (1 + 7*.630930) / (7 + .630930) = 0.709806.
  const RankQuality quality = JudgeRanking(std::vector<uint32_t>{1, 2}, {{1, 1.0}, {2, 3.0}});
  EXPECT_NEAR(quality.ndcg_at_10, 0.796708, 1e-6);
}

TEST(Judging, PlacesElevenAndAHundredAndOneAreTooLate) {
  // Rank 10 counts 1/log2(11) = 0.289065, rank 11 nothing.
  EXPECT_NEAR(JudgeRanking(Upwards(0, 20), {{9, 1.0}}).ndcg_at_10, 0.289065, 1e-6);
  EXPECT_DOUBLE_EQ(JudgeRanking(Upwards(0, 20), {{9, 1.0}}).mrr_at_10, 0.1);
  EXPECT_EQ(JudgeRanking(Upwards(0, 20), {{10, 1.0}}).ndcg_at_10, 0);
  EXPECT_EQ(JudgeRanking(Upwards(0, 20), {{10, 1.0}}).mrr_at_10, 0);
  EXPECT_EQ(JudgeRanking(Upwards(0, 20), {{10, 1.0}}).recall_at_100, 1);
  EXPECT_EQ(JudgeRanking(Upwards(0, 200), {{99, 1.0}}).recall_at_100, 1);
  EXPECT_EQ(JudgeRanking(Upwards(0, 200), {{100, 1.0}}).recall_at_100, 0);
}

TEST(Judging, TheIdealEndsAtTenToo) {
  // With twelve relevant documents of gain 1, the ideal ranking has ten of them in the first ten
  // places.
  Relevance relevant;
  for (uint32_t document = 0; document < 12; ++document) relevant[document] = 1;
  const RankQuality quality = JudgeRanking(Upwards(0, 10), relevant);
  EXPECT_DOUBLE_EQ(quality.ndcg_at_10, 1);
  EXPECT_DOUBLE_EQ(quality.recall_at_100, 10.0 / 12);
}

}  // namespace
}  // namespace recall
