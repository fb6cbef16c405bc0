#pragma once

#include "query/ask/ranking/fusion.h"
#include "query/types/part_evidence.h"

namespace recall {

// The weights as the formula applies them: they add up to 1, and that of the meaning is 0 for a
// chunk without a vector, where words get 60 % of it and triggers 40 %. By default .5, .3 and .2,
// or .68 and .32 without a vector.
PartWeights ShareWeights(const PartWeights& weights, bool has_meaning);

// The score of a chunk is the weighted mean of its parts. Requires: weights as above.
ScoredChunk FuseParts(const Candidate& candidate, const PartEvidence& evidence,
                      const PartWeights& weights);

}  // namespace recall
