#include "query/rank/fusion.h"

#include <algorithm>

namespace recall {
namespace {

double Clamp01(double value) { return std::clamp(value, 0.0, 1.0); }

double Share(double value, double maximum) {
  return value > 0 && maximum > 0 ? value / maximum : 0;
}

}  // namespace

Fusion FuseCandidates(const std::vector<Candidate>& candidates, const FusionOptions& options) {
  const double total = options.lexical_weight + options.semantic_weight;
  if (!(total > 0)) return {};
  const double lexical_weight = options.lexical_weight / total;
  const double semantic_weight = options.semantic_weight / total;

  double lexical_max = 0;
  double semantic_max = 0;
  double evidence_max = 0;
  for (const Candidate& candidate : candidates) {
    lexical_max = std::max(lexical_max, candidate.lexical);
    semantic_max = std::max(semantic_max, candidate.semantic);
    const double evidence =
        lexical_weight * Clamp01(Share(candidate.lexical, options.lexical_ceiling)) +
        semantic_weight * Clamp01(candidate.semantic);
    evidence_max = std::max(evidence_max, evidence);
  }

  Fusion fusion;
  double sum_max = 0;
  for (const Candidate& candidate : candidates) {
    FusedCandidate fused{candidate};
    fused.lexical_part = lexical_weight * Share(candidate.lexical, lexical_max);
    fused.semantic_part = semantic_weight * Share(candidate.semantic, semantic_max);
    const double sum = fused.lexical_part + fused.semantic_part;
    if (sum <= 0) continue;
    sum_max = std::max(sum_max, sum);
    fusion.ranking.push_back(fused);
  }
  if (fusion.ranking.empty()) return fusion;
  fusion.calibration = evidence_max / sum_max;
  for (FusedCandidate& fused : fusion.ranking) {
    fused.score = Clamp01((fused.lexical_part + fused.semantic_part) * fusion.calibration);
  }
  std::sort(fusion.ranking.begin(), fusion.ranking.end(),
            [](const FusedCandidate& a, const FusedCandidate& b) {
              return a.score != b.score ? a.score > b.score : a.candidate.chunk < b.candidate.chunk;
            });
  return fusion;
}

}  // namespace recall
