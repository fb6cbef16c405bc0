#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/measure/eval/eval_types.h"

namespace recall {

inline constexpr size_t kBootstrapResamples = 10'000;
inline constexpr uint64_t kBootstrapSeed = 42;

// The paired bootstrap of the mean of the means of `groups`. A group contains, for each query of
// one collection, the difference in quality between two systems. A resample draws from each group
// as many members as it has, with replacement. The interval is from the 2.5 % to the 97.5 %
// quantile of the resampled means. p is twice the share of resamples at or beyond 0 on the rarer
// side, with 1 added to numerator and denominator for the observed value, and at most 1. Requires:
// at least one group, and no group is empty.
PairedDifference PairedBootstrap(std::span<const std::vector<double>> groups,
                                 size_t resamples = kBootstrapResamples,
                                 uint64_t seed = kBootstrapSeed);

}  // namespace recall
