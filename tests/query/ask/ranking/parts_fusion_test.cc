#include "query/ask/ranking/parts_fusion.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

constexpr double kSixPlaces = 5e-7;
constexpr PartEvidence kEvidence = {.words = .8, .meaning = .4, .triggers = .9};
constexpr PartEvidence kWithoutVector = {.words = .8, .meaning = std::nullopt, .triggers = .9};

TEST(PartsFusionTest, IsTheWeightedMean) {
  const ScoredChunk fused = FuseParts({.chunk = 7, .lexical = 3, .semantic = .4}, kEvidence, {});
  EXPECT_NEAR(fused.score, .70, kSixPlaces);
  EXPECT_NEAR(fused.parts.lexical, .40, kSixPlaces);
  EXPECT_NEAR(fused.parts.semantic, .12, kSixPlaces);
  EXPECT_NEAR(fused.parts.triggers, .18, kSixPlaces);
  EXPECT_EQ(fused.candidate.chunk, 7u);
  EXPECT_EQ(fused.candidate.lexical, 3);
}

TEST(PartsFusionTest, WithoutAVectorWordsAndTriggersShareItsWeight) {
  EXPECT_NEAR(FuseParts({}, kWithoutVector, {}).score, .832, kSixPlaces);
  const PartWeights shares = ShareWeights({}, /*has_meaning=*/false);
  EXPECT_NEAR(shares.words, .68, kSixPlaces);
  EXPECT_EQ(shares.meaning, 0);
  EXPECT_NEAR(shares.triggers, .32, kSixPlaces);
  // A weight that is not asked for is not made up.
  EXPECT_EQ(FuseParts({}, kWithoutVector, {.words = 1, .meaning = 0, .triggers = 0}).score, .8);
}

TEST(PartsFusionTest, OnlyTheRatiosOfWeightsMatter) {
  EXPECT_NEAR(FuseParts({}, kEvidence, {5, 3, 2}).score, .70, kSixPlaces);
  EXPECT_NEAR(FuseParts({}, kEvidence, {0, 0, 4}).score, .9, kSixPlaces);
  EXPECT_NEAR(FuseParts({}, kEvidence, {1, 1, 0}).score, .6, kSixPlaces);
  EXPECT_NEAR(FuseParts({}, kWithoutVector, {5, 3, 2}).score, .832, kSixPlaces);
}

TEST(PartsFusionTest, AZeroCosineIsNotAMissingVector) {
  const PartEvidence none = {.words = .8, .meaning = 0, .triggers = .9};
  EXPECT_NEAR(FuseParts({}, none, {}).score, .58, kSixPlaces);
}

}  // namespace
}  // namespace recall
