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

bool ComesBefore(const FusedCandidate& a, const FusedCandidate& b) {
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
    const FusedCandidate fused = Fuse(candidate);
    sum_max = std::max(sum_max, fused.lexical_part + fused.semantic_part);
  }
  calibration_ = sum_max > 0 ? evidence_max / sum_max : 0;
}

FusedCandidate FusionScale::Fuse(const Candidate& candidate) const {
  FusedCandidate fused;
  fused.candidate = candidate;
  fused.lexical_part = lexical_weight_ * ShareOf(candidate.lexical, lexical_max_);
  fused.semantic_part = semantic_weight_ * ShareOf(candidate.semantic, semantic_max_);
  fused.score = Clamp01((fused.lexical_part + fused.semantic_part) * calibration_);
  return fused;
}

std::vector<FusedCandidate> FuseCandidates(const std::vector<Candidate>& candidates,
                                           const FusionScale& scale, size_t count) {
  const double least = count < candidates.size() ? ScoreOfRank(candidates, scale, count) : 0;
  std::vector<FusedCandidate> ranking;
  ranking.reserve(std::min(candidates.size(), count));
  for (const Candidate& candidate : candidates) {
    FusedCandidate fused = scale.Fuse(candidate);
    if (fused.score > 0 && fused.score >= least) ranking.push_back(fused);
  }
  std::ranges::sort(ranking, ComesBefore);
  return ranking;
}

}  // namespace recall
