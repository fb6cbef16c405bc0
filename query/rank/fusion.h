#pragma once

#include <cstdint>
#include <vector>

namespace recall {

// What the two legs know of one chunk.
struct Candidate {
  uint32_t chunk = 0;
  double lexical = 0;   // BM25, 0 when the words do not match
  double semantic = 0;  // cosine, in [-1, 1]
};

struct FusionOptions {
  double lexical_weight = 1;  // not negative; only the ratio of the two matters
  double semantic_weight = 0;
  double lexical_ceiling = 0;  // BM25 no text can reach for this query
};

struct FusedCandidate {
  Candidate candidate;
  double score = 0;  // in [0, 1]
  double lexical_part = 0;
  double semantic_part = 0;
};

struct Fusion {
  // By score descending, then chunk row. Only candidates with a score above zero.
  std::vector<FusedCandidate> ranking;
  double calibration = 0;  // score = (lexical_part + semantic_part) * calibration
};

// Orders candidates by the weighted sum of their legs, each divided by its maximum over the
// candidates ("relmax": needs no depth parameter and never lets a weak leg push out a strong one,
// unlike reciprocal ranks; docs/RETRIEVAL.md, "Fusion").
//
// That sum is 1 for the best candidate of any query, however bad, so it is scaled to mean
// something: the best evidence in the pool, measured absolutely, as
//   weight_l * BM25 / ceiling + weight_s * cosine.
// With one leg only, the score is exactly BM25 / ceiling, or the cosine.
Fusion FuseCandidates(const std::vector<Candidate>& candidates, const FusionOptions& options);

}  // namespace recall
