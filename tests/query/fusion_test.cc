#include "query/rank/fusion.h"

#include <gtest/gtest.h>

#include <random>

namespace recall {
namespace {

std::vector<uint32_t> Order(const Fusion& fusion) {
  std::vector<uint32_t> chunks;
  for (const FusedCandidate& fused : fusion.ranking) chunks.push_back(fused.candidate.chunk);
  return chunks;
}

TEST(FusionTest, LexicalAloneIsTheShareOfTheCeiling) {
  const Fusion fusion =
      FuseCandidates({{1, 2.0, 0.9}, {2, 4.0, 0.0}, {3, 0.0, 0.8}},
                     {.lexical_weight = 1, .semantic_weight = 0, .lexical_ceiling = 8});
  EXPECT_EQ(Order(fusion), (std::vector<uint32_t>{2, 1}));
  EXPECT_DOUBLE_EQ(fusion.ranking[0].score, 0.5);
  EXPECT_DOUBLE_EQ(fusion.ranking[1].score, 0.25);
}

TEST(FusionTest, SemanticAloneIsTheCosine) {
  const Fusion fusion = FuseCandidates({{1, 0, 0.25}, {2, 0, 0.75}, {3, 0, -0.5}},
                                       {.lexical_weight = 0, .semantic_weight = 3});
  EXPECT_EQ(Order(fusion), (std::vector<uint32_t>{2, 1}));
  EXPECT_DOUBLE_EQ(fusion.ranking[0].score, 0.75);
  EXPECT_DOUBLE_EQ(fusion.ranking[1].score, 0.25);
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
    const Fusion fusion = FuseCandidates(
        candidates, {.lexical_weight = .7, .semantic_weight = .3, .lexical_ceiling = 12});
    const auto relative = [&](const Candidate& candidate) {
      return .7 * candidate.lexical / lexical_max +
             .3 * std::max(candidate.semantic, 0.0) / semantic_max;
    };
    double previous = 2;
    for (const FusedCandidate& fused : fusion.ranking) {
      EXPECT_GE(fused.score, 0);
      EXPECT_LE(fused.score, 1);
      EXPECT_LE(relative(fused.candidate), previous + 1e-12);
      previous = relative(fused.candidate);
    }
  }
}

TEST(FusionTest, EqualScoresGoByChunkAndNothingGivesNothing) {
  const Fusion fusion = FuseCandidates({{9, 1, 0}, {3, 1, 0}, {5, 1, 0}},
                                       {.lexical_weight = 1, .lexical_ceiling = 2});
  EXPECT_EQ(Order(fusion), (std::vector<uint32_t>{3, 5, 9}));
  EXPECT_TRUE(FuseCandidates({}, {}).ranking.empty());
  EXPECT_TRUE(
      FuseCandidates({{1, 1, 1}}, {.lexical_weight = 0, .semantic_weight = 0}).ranking.empty());
}

}  // namespace
}  // namespace recall
