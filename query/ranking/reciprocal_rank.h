#pragma once

#include <cstddef>
#include <vector>

#include "query/ranking/fusion.h"

namespace recall {

// What a chunk's place counts: 1 / (kRankOffset + place), places from 1.
inline constexpr double kRankOffset = 60;

// The best there can be, first in both retrievers, scores 1.
inline constexpr double kReciprocalCalibration = (kRankOffset + 1) / 2;

// One chunk and its places, from 1; 0: a retriever that did not find it, which counts nothing.
struct RankedCandidate {
  Candidate candidate;
  size_t lexical_rank = 0;
  size_t semantic_rank = 0;
};

// Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): the sum of what the places count,
// scaled to [0, 1]. What the retrievers measured plays no part. By score descending, then chunk
// rowid.
std::vector<FusedCandidate> FuseReciprocalRanks(const std::vector<RankedCandidate>& candidates);

}  // namespace recall
