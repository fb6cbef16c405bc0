#pragma once

#include <array>
#include <cstddef>

#include "index/base/math/natural_log.h"

namespace recall {

// The weight of a term that occurs `count` times in a text: 1 + ln count. Requires: count > 0.
inline float TermFrequencyWeight(size_t count) {
  static const std::array<float, 64> kSmall = [] {
    std::array<float, 64> weights{};
    for (size_t i = 1; i < weights.size(); ++i) {
      weights[i] = static_cast<float>(1 + NaturalLog(static_cast<double>(i)));
    }
    return weights;
  }();
  if (count < kSmall.size()) return kSmall[count];
  return static_cast<float>(1 + NaturalLog(static_cast<double>(count)));
}

}  // namespace recall
