// Fusion of words, meaning and triggers (docs/RETRIEVAL.md, "Fusion methods").
//
// Problem. A note says for which questions it is meant: its triggers. That is evidence of a third
// kind beside its words and its vector, and a chunk may lack the vector.
//
// Idea. The weighted mean of three shares of what is possible. What a chunk cannot have must not
// count against it: without a vector, the weight of the meaning goes to the other two parts. 60 %
// of it for words turn the weights .5, .3, .2 into .68 and .32.
//
// Invariants. The score lies in [0, 1], grows with each part and depends on no other chunk, so
// scores of different questions can be compared with one minimum score.

#include "query/ask/ranking/parts_fusion.h"

#include <algorithm>

namespace recall {
namespace {

// The share of the weight of the meaning that words get if there is none.
constexpr double kWordsInstead = 0.6;

}  // namespace

PartWeights ShareWeights(const PartWeights& weights, bool has_meaning) {
  const double total = weights.words + weights.meaning + weights.triggers;
  const PartWeights shares = {weights.words / total, weights.meaning / total,
                              weights.triggers / total};
  if (has_meaning) return shares;
  return {shares.words + kWordsInstead * shares.meaning, 0,
          shares.triggers + (1 - kWordsInstead) * shares.meaning};
}

ScoredChunk FuseParts(const Candidate& candidate, const PartEvidence& evidence,
                      const PartWeights& weights) {
  const PartWeights shares = ShareWeights(weights, evidence.meaning.has_value());
  ScoredChunk fused;
  fused.candidate = candidate;
  fused.parts.lexical = shares.words * evidence.words;
  fused.parts.semantic = shares.meaning * evidence.meaning.value_or(0);
  fused.parts.triggers = shares.triggers * evidence.triggers;
  fused.score = std::clamp(fused.parts.Sum(), 0.0, 1.0);
  return fused;
}

}  // namespace recall
