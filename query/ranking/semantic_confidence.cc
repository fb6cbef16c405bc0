#include "query/ranking/semantic_confidence.h"

#include <algorithm>
#include <cmath>

namespace recall {
namespace {

constexpr size_t kBest = 10;
constexpr double kLeastConfidence = 0.05;
// In standard errors: below the first is noise, above the second is not.
constexpr double kNoise = 1;
constexpr double kCertain = 3;

double Mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

double SemanticConfidence(std::span<const double> cosines) {
  if (cosines.size() < 2 * kBest) return 1;
  const auto best = cosines.first(kBest);
  const auto others = cosines.subspan(kBest);
  const double mean = Mean(others);
  double squares = 0;
  for (const double value : others) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / static_cast<double>(others.size()));
  if (!(deviation > 0)) return kLeastConfidence;
  const double errors = (Mean(best) - mean) / deviation * std::sqrt(static_cast<double>(kBest));
  return std::clamp((errors - kNoise) / (kCertain - kNoise), kLeastConfidence, 1.0);
}

}  // namespace recall
