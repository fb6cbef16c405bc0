// Query performance prediction for the semantic retriever: are the vectors useful for this query?
//
// Problem. The vectors of a store may be unrelated to its texts, because the embedder was trained
// on another domain or its model is damaged. With a fixed weight they would worsen every ranking.
//
// Idea. The ten best lexical hits are more often relevant than the others. If the vectors are
// useful, these ten therefore have larger cosines. Compare their mean with the mean of the others,
// in standard errors of a mean of ten draws from the others (a one-sided z-test). A difference
// below 1 standard error is noise and gives the confidence 0.05; above 3 the confidence is 1, and
// between the two it is linear.
//
// Invariants. The result depends only on the query and the store, because the caller passes the
// best 200 lexical hits for every page of a ranking. Fewer than 20 hits are too few to compare, and
// the confidence is 1. It is never 0, so the vectors still order chunks that are otherwise equal.
//
// Cost: O(n) for n cosines, which the fusion needs as well. Measured on five collections
// (docs/RETRIEVAL.md, "Second stage: reranking"): the difference is 3 to 18 standard errors for
// good vectors, and at most 2 for random, shuffled or negated ones.

#include "query/ask/ranking/semantic_confidence.h"

#include <algorithm>
#include <cmath>

namespace recall {
namespace {

constexpr size_t kBest = 10;
constexpr double kLeastConfidence = 0.05;
// Differences of the means, in standard errors: up to kNoise the confidence is least, from kCertain
// on it is 1.
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
