#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/measure/eval/eval_types.h"

namespace recall {

inline constexpr size_t kBootstrapResamples = 10'000;
inline constexpr uint64_t kBootstrapSeed = 42;

// The paired bootstrap of the mean of `groups`' means, where each group holds, for each query of a
// collection, how much better one system answered it than the other. A resample draws as many
// queries of each group as it has, with replacement. The interval is from the 2.5 % to the 97.5 %
// quantile of the resamples' means; p is twice the share of them that lie on the other side of 0
// (or on it), each side with one more for what was observed, and at most 1.
// Requires: no group is empty.
PairedDifference PairedBootstrap(std::span<const std::vector<double>> groups,
                                 size_t resamples = kBootstrapResamples,
                                 uint64_t seed = kBootstrapSeed);

}  // namespace recall
