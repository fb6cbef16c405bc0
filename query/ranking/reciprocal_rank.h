#pragma once

#include <cstddef>

#include "query/ranking/fusion.h"

namespace recall {

// A rank counts 1 / (kRankOffset + rank), ranks from 1.
inline constexpr double kRankOffset = 60;

// The best possible chunk, first in both retrievers, scores 1.
inline constexpr double kReciprocalCalibration = (kRankOffset + 1) / 2;

// The score of one chunk by its ranks in both retrievers, from 1; 0: the retriever did not propose
// it, which counts nothing.
ScoredChunk FuseReciprocalRanks(const Candidate& candidate, size_t lexical_rank,
                                size_t semantic_rank);

}  // namespace recall
