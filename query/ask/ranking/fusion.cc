// Score fusion: one order from BM25 and cosine.
//
// Problem. The two scores have different units, and their ranges vary: BM25 grows with the number
// and rarity of the terms, and all cosines of a vector space may lie between 0.2 and 0.4.
//
// Idea. Divide each score by its maximum over the best candidates of the query, then add the two
// with weights (the "max" normalisation of Lee: Analyses of multiple evidence combination, SIGIR
// 1997). If the best scores of a retriever hardly differ, it changes the order little; ranks lose
// this information (reciprocal_rank.cc). A retriever with a small weight cannot displace the best
// candidates of the other.
//
// Calibration. The largest sum is near 1 for any query, even if no candidate is good. All sums are
// therefore multiplied by one factor, so that the largest becomes the largest absolute evidence of
// any candidate: weight_l * BM25 / upper bound + weight_s * cosine. The factor preserves the order,
// and makes scores comparable with a minimum score.
//
// Invariants. Fuse is monotonic in both scores and depends on no other candidate, so the threshold
// algorithm can bound the scores of candidates that are not in the pool
// (query/ask/retrieval/candidate_pool.cc). Scores lie in [0, 1]. With one retriever the score is
// exactly BM25 / upper bound, or the cosine.
//
// Cost: O(n) for the scale; O(n + k log k) for the best k of n candidates, by selection before
// sorting.

#include "query/ask/ranking/fusion.h"

#include <algorithm>
#include <functional>

namespace recall {
namespace {

double Clamp01(double value) { return std::clamp(value, 0.0, 1.0); }

// Returns: the score at `rank`, from 1; infinity for rank 0. Requires: rank <= candidates.size().
double ScoreOfRank(const std::vector<Candidate>& candidates, const FusionScale& scale,
                   size_t rank) {
  if (rank == 0) return std::numeric_limits<double>::infinity();
  std::vector<double> scores;
  scores.reserve(candidates.size());
  for (const Candidate& candidate : candidates) scores.push_back(scale.Fuse(candidate).score);
  const auto place = scores.begin() + static_cast<ptrdiff_t>(rank - 1);
  std::ranges::nth_element(scores, place, std::greater());
  return *place;
}

}  // namespace

// A candidate that is not among the best may exceed their maximum slightly, hence the minimum.
void EraseBelow(double score, std::vector<ScoredChunk>& ranking) {
  const auto end = std::ranges::partition_point(
      ranking, [score](const ScoredChunk& scored) { return scored.score >= score; });
  ranking.erase(end, ranking.end());
}

double ShareOf(double value, double maximum) {
  return value > 0 && maximum > 0 ? std::min(value / maximum, 1.0) : 0;
}

bool ComesBefore(const ScoredChunk& a, const ScoredChunk& b) {
  return a.score != b.score ? a.score > b.score : a.candidate.chunk < b.candidate.chunk;
}

bool FusionScale::SetWeights(const FusionOptions& options) {
  const double total = options.lexical_weight + options.semantic_weight;
  if (!(total > 0)) return false;
  lexical_weight_ = options.lexical_weight / total;
  semantic_weight_ = options.semantic_weight / total;
  return true;
}

FusionScale FusionScale::Absolute(const FusionOptions& options) {
  FusionScale scale;
  if (!scale.SetWeights(options)) return scale;
  scale.lexical_max_ = options.lexical_upper_bound;
  scale.semantic_max_ = 1;
  scale.calibration_ = 1;
  return scale;
}

FusionScale::FusionScale(const std::vector<Candidate>& best, const FusionOptions& options) {
  if (!SetWeights(options)) return;
  double evidence_max = 0;
  for (const Candidate& candidate : best) {
    lexical_max_ = std::max(lexical_max_, candidate.lexical);
    semantic_max_ = std::max(semantic_max_, candidate.semantic);
    const double evidence =
        lexical_weight_ * ShareOf(candidate.lexical, options.lexical_upper_bound) +
        semantic_weight_ * Clamp01(candidate.semantic);
    evidence_max = std::max(evidence_max, evidence);
  }
  double sum_max = 0;
  for (const Candidate& candidate : best) {
    const ScoredChunk fused = Fuse(candidate);
    sum_max = std::max(sum_max, fused.parts.lexical + fused.parts.semantic);
  }
  calibration_ = sum_max > 0 ? evidence_max / sum_max : 0;
}

ScoredChunk FusionScale::Fuse(const Candidate& candidate) const {
  ScoredChunk fused;
  fused.candidate = candidate;
  fused.parts.lexical = lexical_weight_ * ShareOf(candidate.lexical, lexical_max_);
  fused.parts.semantic = semantic_weight_ * ShareOf(candidate.semantic, semantic_max_);
  fused.score = Clamp01((fused.parts.lexical + fused.parts.semantic) * calibration_);
  return fused;
}

std::vector<ScoredChunk> FuseCandidates(const std::vector<Candidate>& candidates,
                                        const FusionScale& scale, size_t count) {
  const double least = count < candidates.size() ? ScoreOfRank(candidates, scale, count) : 0;
  std::vector<ScoredChunk> ranking;
  ranking.reserve(std::min(candidates.size(), count));
  for (const Candidate& candidate : candidates) {
    ScoredChunk fused = scale.Fuse(candidate);
    if (fused.score > 0 && fused.score >= least) ranking.push_back(fused);
  }
  std::ranges::sort(ranking, ComesBefore);
  return ranking;
}

}  // namespace recall
