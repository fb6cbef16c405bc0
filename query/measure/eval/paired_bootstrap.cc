// The paired bootstrap test (Efron and Tibshirani, 1993, "An Introduction to the Bootstrap"; for
// search engines: Sakai, 2006, "Evaluating evaluation metrics based on the bootstrap").
//
// Two systems answer the same queries. The per-query differences are resampled with replacement,
// which shows how much the mean difference would vary with another sample of queries:
//
//   for each of 10,000 resamples, for each collection: draw n of its n differences
//   statistic = mean over collections of the mean difference      (a macro average)
//   interval  = 2.5 % .. 97.5 % quantile of the statistics
//   p         = 2 * (number of statistics on the other side of 0, plus 1) / (resamples + 1)
//
// Queries are drawn within their collection (a stratified bootstrap), because the collections are
// fixed and each counts the same, whatever its number of queries. The plus 1 counts the observed
// value as a resample, so p is never 0.
//
// The seed is fixed, and SplitMix64 is defined bit by bit, so equal inputs give equal results on
// all machines. Drawing by modulo is biased by at most n / 2^64. Cost: resamples * total queries.

#include "query/measure/eval/paired_bootstrap.h"

#include <algorithm>

#include "storage/base/split_mix.h"

namespace recall {
namespace {

// Returns: the mean of the means of the groups. `pick(group, i)` is the index of the i-th drawn
// member.
template <typename Pick>
double MeanOfMeans(std::span<const std::vector<double>> groups, Pick pick) {
  double sum_of_means = 0;
  for (const std::vector<double>& group : groups) {
    double sum = 0;
    for (size_t i = 0; i < group.size(); ++i) sum += group[pick(group, i)];
    sum_of_means += sum / static_cast<double>(group.size());
  }
  return sum_of_means / static_cast<double>(groups.size());
}

// Returns: the value below which `share` of the sorted values are.
double Quantile(const std::vector<double>& sorted, double share) {
  const auto place = static_cast<size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(place, sorted.size() - 1)];
}

}  // namespace

PairedDifference PairedBootstrap(std::span<const std::vector<double>> groups, size_t resamples,
                                 uint64_t seed) {
  PairedDifference result;
  result.difference = MeanOfMeans(groups, [](const std::vector<double>&, size_t i) { return i; });
  SplitMix64 random(seed);
  std::vector<double> means(resamples);
  for (double& mean : means) {
    mean = MeanOfMeans(groups, [&](const std::vector<double>& group, size_t) {
      return static_cast<size_t>(random.Next() % group.size());
    });
  }
  std::sort(means.begin(), means.end());
  result.low = Quantile(means, 0.025);
  result.high = Quantile(means, 0.975);
  const auto at_most = std::upper_bound(means.begin(), means.end(), 0.0) - means.begin();
  const auto at_least = means.end() - std::lower_bound(means.begin(), means.end(), 0.0);
  const auto rarer = static_cast<double>(std::min(at_most, at_least) + 1);
  result.p = std::min(1.0, 2 * rarer / static_cast<double>(resamples + 1));
  return result;
}

}  // namespace recall
