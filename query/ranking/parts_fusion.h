#pragma once

#include <optional>

#include "query/ranking/fusion.h"

namespace recall {

// The weights of the three parts of a score. Not negative, and one is above 0; only their ratios
// matter.
struct PartWeights {
  double words = 0.5;
  double meaning = 0.3;
  double triggers = 0.2;

  bool operator==(const PartWeights&) const = default;
};

// The evidence that a chunk answers a question, each part from 0 to 1.
struct PartEvidence {
  double words = 0;               // BM25 / upper bound
  std::optional<double> meaning;  // the cosine, at least 0; unset if there is no vector to compare
  double triggers = 0;            // TriggerHit::score
};

// The weights as the formula applies them: they add up to 1, and that of the meaning is 0 for a
// chunk without a vector, where words get 60 % of it and triggers 40 %. By default .5, .3 and .2,
// or .68 and .32 without a vector.
PartWeights ShareWeights(const PartWeights& weights, bool has_meaning);

// The score of a chunk is the weighted mean of its parts. Requires: weights as above.
ScoredChunk FuseParts(const Candidate& candidate, const PartEvidence& evidence,
                      const PartWeights& weights);

}  // namespace recall
