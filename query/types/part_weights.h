#pragma once

namespace recall {

// The weights of the three parts of a score. Not negative, and one is above 0; only their ratios
// matter.
struct PartWeights {
  double words = 0.5;
  double meaning = 0.3;
  double triggers = 0.2;

  bool operator==(const PartWeights&) const = default;
};

}  // namespace recall
