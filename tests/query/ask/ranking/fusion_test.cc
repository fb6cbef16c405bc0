#include "query/ask/ranking/fusion.h"

#include <gtest/gtest.h>

#include <random>

namespace recall {
namespace {

using FusedChunks = std::vector<ScoredChunk>;

FusedChunks FuseAll(const std::vector<Candidate>& candidates, const FusionOptions& options) {
  return FuseCandidates(candidates, FusionScale(candidates, options));
}

std::vector<uint32_t> Order(const FusedChunks& ranking) {
  std::vector<uint32_t> chunks;
  for (const ScoredChunk& fused : ranking) chunks.push_back(fused.candidate.chunk);
  return chunks;
}

TEST(FusionTest, LexicalAloneIsTheShareOfTheUpperBound) {
  const FusedChunks ranking =
      FuseAll({{1, 2.0, 0.9}, {2, 4.0, 0.0}, {3, 0.0, 0.8}},
              {.lexical_weight = 1, .semantic_weight = 0, .lexical_upper_bound = 8});
  EXPECT_EQ(Order(ranking), (std::vector<uint32_t>{2, 1}));
  EXPECT_DOUBLE_EQ(ranking[0].score, 0.5);
  EXPECT_DOUBLE_EQ(ranking[1].score, 0.25);
}

TEST(FusionTest, SemanticAloneIsTheCosine) {
  const FusedChunks ranking = FuseAll({{1, 0, 0.25}, {2, 0, 0.75}, {3, 0, -0.5}},
                                      {.lexical_weight = 0, .semantic_weight = 3});
  EXPECT_EQ(Order(ranking), (std::vector<uint32_t>{2, 1}));
  EXPECT_DOUBLE_EQ(ranking[0].score, 0.75);
  EXPECT_DOUBLE_EQ(ranking[1].score, 0.25);
}

TEST(FusionTest, OrderFollowsRelativeMaximaAndScoresStayInRange) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Candidate> candidates;
    double lexical_max = 0;
    double semantic_max = 0;
    for (uint32_t i = 0; i < 30; ++i) {
      const double lexical = random() % 3 ? static_cast<double>(random() % 100) / 10 : 0;
      const double semantic = static_cast<double>(random() % 200) / 100 - 1;
      candidates.push_back({i, lexical, semantic});
      lexical_max = std::max(lexical_max, lexical);
      semantic_max = std::max(semantic_max, semantic);
    }
    const FusedChunks ranking = FuseAll(
        candidates, {.lexical_weight = .7, .semantic_weight = .3, .lexical_upper_bound = 12});
    const auto relative = [&](const Candidate& candidate) {
      return .7 * candidate.lexical / lexical_max +
             .3 * std::max(candidate.semantic, 0.0) / semantic_max;
    };
    double previous = 2;
    for (const ScoredChunk& fused : ranking) {
      EXPECT_GE(fused.score, 0);
      EXPECT_LE(fused.score, 1);
      EXPECT_LE(relative(fused.candidate), previous + 1e-12);
      previous = relative(fused.candidate);
    }
  }
}

TEST(FusionTest, EqualScoresGoByChunkAndNothingGivesNothing) {
  const FusedChunks ranking =
      FuseAll({{9, 1, 0}, {3, 1, 0}, {5, 1, 0}}, {.lexical_weight = 1, .lexical_upper_bound = 2});
  EXPECT_EQ(Order(ranking), (std::vector<uint32_t>{3, 5, 9}));
  EXPECT_TRUE(FuseAll({}, {}).empty());
  EXPECT_TRUE(FuseAll({{1, 1, 1}}, {.lexical_weight = 0, .semantic_weight = 0}).empty());
}

TEST(FusionTest, TheBestFewAreTheFirstOfAllWithThoseThatTie) {
  std::mt19937_64 random(5);
  for (const int values : {3, 1000}) {  // with few values nearly everything ties
    std::vector<Candidate> candidates;
    for (uint32_t i = 0; i < 300; ++i) {
      candidates.push_back({i, static_cast<double>(random() % values),
                            static_cast<double>(random() % values) / values - 0.1});
    }
    const FusionScale scale(
        candidates, {.lexical_weight = 1, .semantic_weight = 1, .lexical_upper_bound = 2000});
    const FusedChunks all = FuseCandidates(candidates, scale);
    for (const size_t count : {1, 2, 10, 150, 299, 300, 1000}) {
      size_t end = std::min(count, all.size());
      while (end < all.size() && all[end].score == all[end - 1].score) ++end;
      const FusedChunks best = FuseCandidates(candidates, scale, count);
      EXPECT_EQ(Order(best), Order({all.begin(), all.begin() + static_cast<ptrdiff_t>(end)}));
    }
  }
}

// A later page fuses more candidates than the first. Common candidates must keep their scores.
TEST(FusionTest, MoreCandidatesUnderTheSameScaleChangeNoScore) {
  const std::vector<Candidate> best = {{1, 4, .5}, {2, 3, .6}};
  const FusionScale scale(best,
                          {.lexical_weight = .7, .semantic_weight = .3, .lexical_upper_bound = 10});
  const FusedChunks first = FuseCandidates(best, scale);
  const FusedChunks more = FuseCandidates({{1, 4, .5}, {2, 3, .6}, {3, 1, .7}, {4, 2, 0}}, scale);
  ASSERT_EQ(Order(first), (std::vector<uint32_t>{1, 2}));
  ASSERT_EQ(Order(more), (std::vector<uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(more[0].score, first[0].score);
  EXPECT_EQ(more[1].score, first[1].score);
  EXPECT_LE(more[2].parts.semantic, .3);  // its cosine exceeds the maximum of the scale
}

}  // namespace
}  // namespace recall
