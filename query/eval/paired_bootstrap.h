#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/eval/eval_types.h"

namespace recall {

inline constexpr size_t kBootstrapResamples = 10'000;
inline constexpr uint64_t kBootstrapSeed = 42;

// The numbers of SplitMix64 (Steele, Lea and Flood, 2014): the same on every machine.
class SplitMix64 final {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
  }

 private:
  uint64_t state_;
};

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
