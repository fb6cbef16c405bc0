// Score fusion: one order from BM25 and cosine.
//
// Problem. The two scores have different units, and neither has a fixed range: BM25 grows with the
// number and rarity of the terms, cosines of a space may all lie between 0.2 and 0.4.
//
// Idea. Divide each score by its maximum over the best candidates of the question, then add the
// two with weights (the "max" normalisation of Lee: Analyses of multiple evidence combination,
// SIGIR 1997). A retriever whose best is only a little better than its rest then changes the order
// little, which ranks cannot express (reciprocal_rank.cc). The weights are absolute shares, so a
// weak retriever with a small weight never displaces a strong one's best.
//
// Calibration. That sum is 1 for the best candidate of any question, however bad, so it is
// multiplied by the best absolute evidence of the question: the maximum over the candidates of
// weight_l * BM25 / upper bound + weight_s * cosine. It is one factor for all candidates, so it
// changes no order, and a score can be compared with a minimum.
//
// Invariants. Fuse is monotonic in both scores and depends on no other candidate, so the threshold
// algorithm may bound candidates that it has not seen (query/retrieval/candidate_pool.cc). Scores
// lie in [0, 1]. With one retriever the score is exactly BM25 / upper bound, or the cosine.
//
// Cost: O(n) for the scale; O(n + k log k) for the best k of n candidates, by selection before
// sorting.

#include "query/ranking/fusion.h"

#include <algorithm>
#include <functional>

namespace recall {
namespace {

double Clamp01(double value) { return std::clamp(value, 0.0, 1.0); }

// Requires: fewer than there are candidates. With a rank of 0, more than any score.
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

// At most 1: a candidate outside the best may still surpass a maximum taken over them by a hair.
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
