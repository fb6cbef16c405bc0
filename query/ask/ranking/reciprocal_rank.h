#pragma once

#include <cstddef>

#include "query/ask/ranking/fusion.h"

namespace recall {

// The evidence of a rank is 1 / (kRankOffset + rank). Ranks begin at 1.
inline constexpr double kRankOffset = 60;

// score = sum of the evidence * kReciprocalCalibration. A chunk that ranks first in both retrievers
// scores 1.
inline constexpr double kReciprocalCalibration = (kRankOffset + 1) / 2;

// Scores one chunk by its ranks in the two retrievers (reciprocal rank fusion; Cormack, Clarke and
// Büttcher 2009). Rank 0: the retriever does not propose the chunk and adds nothing to its score.
ScoredChunk FuseReciprocalRanks(const Candidate& candidate, size_t lexical_rank,
                                size_t semantic_rank);

}  // namespace recall
