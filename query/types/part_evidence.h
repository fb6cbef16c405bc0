#pragma once

#include <optional>

namespace recall {

// The weights of the three parts of a score. Not negative, and one is above 0; only their ratios
// matter.
struct PartWeights {
  double words = 0.5;
  double meaning = 0.3;
  double triggers = 0.2;

  bool operator==(const PartWeights&) const = default;
};

// The evidence that a chunk answers a question, each part from 0 to 1.
struct PartEvidence {
  double words = 0;               // BM25 / upper bound
  std::optional<double> meaning;  // the cosine, at least 0; unset if there is no vector to compare
  double triggers = 0;            // TriggerHit::score
};

}  // namespace recall
