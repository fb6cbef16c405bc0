// Query performance prediction for one retriever: are the vectors of any use for this question?
//
// Problem. A store may have vectors that say nothing about its texts, from an embedder of another
// domain or a damaged model. A fixed weight then costs quality in every question.
//
// Idea. The lexical retriever is a witness. Its ten best are more often relevant than its other
// matches, so if vectors mean anything, the ten have higher cosines. Compare the mean of the ten
// with the mean of the others, in standard errors of a mean of ten draws from the others: a
// one-sided z-test. Below 1 the difference is noise, and the weight falls to 5 % of itself; above 3
// it is certain, and the weight stays; between the two it is linear.
//
// Invariants. The result depends on question and store alone, because the candidates are always
// the lexical retriever's best 200, whatever page is asked for. With fewer than 20 matches there is
// nothing to compare, and the retriever keeps its weight. It never becomes 0: vectors then still
// order what nothing else does.
//
// Cost: O(n) for n cosines, which the fusion needs anyway. Measured on five collections
// (docs/RETRIEVAL.md, "Trust"): good vectors differ by 3 to 18 standard errors, random, shuffled or
// negated ones by less than 2.

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
