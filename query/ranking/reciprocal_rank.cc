#include "query/ranking/reciprocal_rank.h"

#include <algorithm>

namespace recall {
namespace {

double ReciprocalRank(size_t rank) {
  return rank == 0 ? 0 : 1 / (kRankOffset + static_cast<double>(rank));
}

}  // namespace

std::vector<FusedCandidate> FuseReciprocalRanks(const std::vector<RankedCandidate>& candidates) {
  std::vector<FusedCandidate> ranking;
  ranking.reserve(candidates.size());
  for (const RankedCandidate& ranked : candidates) {
    FusedCandidate fused;
    fused.candidate = ranked.candidate;
    fused.lexical_part = ReciprocalRank(ranked.lexical_rank);
    fused.semantic_part = ReciprocalRank(ranked.semantic_rank);
    // At most 1: 1/61 + 1/61 is rounded.
    fused.score = ShareOf(fused.Sum() * kReciprocalCalibration, 1);
    if (fused.score > 0) ranking.push_back(fused);
  }
  std::ranges::sort(ranking, ComesBefore);
  return ranking;
}

}  // namespace recall
