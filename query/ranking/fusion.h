#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "query/ranking/score_parts.h"

namespace recall {

// What the two retrievers know of one chunk.
struct Candidate {
  uint32_t chunk = 0;
  double lexical = 0;   // BM25, 0 when the words do not match
  double semantic = 0;  // cosine, in [-1, 1]
};

struct FusionOptions {
  double lexical_weight = 1;  // not negative; only the ratio of the two matters
  double semantic_weight = 0;
  double lexical_upper_bound = 0;  // BM25 no text can reach for this query
};

struct ScoredChunk {
  Candidate candidate;
  double score = 0;                   // in [0, 1]; 0: no evidence
  std::optional<double> ngrams = {};  // BM25 of character n-grams, where the second stage read it
  ScoreParts parts;                   // which add up to the score before calibration
};

// The order of rankings: by score descending, then chunk rowid.
bool ComesBefore(const ScoredChunk& a, const ScoredChunk& b);

// value / maximum, between 0 and 1; 0 where either is not above 0.
double ShareOf(double value, double maximum);

// How the candidates of one question are weighed: the weighted sum of their retrievers, each
// divided by its maximum over the best candidates ("relmax": needs no depth parameter and never
// lets a weak retriever push out a strong one, unlike reciprocal ranks; docs/RETRIEVAL.md,
// "Fusion").
//
// That sum is 1 for the best candidate of any query, however bad, so it is scaled to mean
// something: the best evidence there is, measured absolutely, as
//   weight_l * BM25 / ceiling + weight_s * cosine.
// With one retriever only, the score is exactly BM25 / ceiling, or the cosine.
class FusionScale final {
 public:
  FusionScale() = default;  // every score is 0
  // Takes the maxima from `best`, which must hold the best candidates of each retriever.
  FusionScale(const std::vector<Candidate>& best, const FusionOptions& options);
  // The retrievers as they are, whatever the candidates: BM25 / ceiling and the cosine, by their
  // weights.
  static FusionScale Absolute(const FusionOptions& options);

  ScoredChunk Fuse(const Candidate& candidate) const;
  // score = (parts.lexical + parts.semantic) * calibration
  double calibration() const { return calibration_; }

 private:
  // Returns: false when there is no weight.
  bool SetWeights(const FusionOptions& options);

  double lexical_weight_ = 0;  // the two add up to 1
  double semantic_weight_ = 0;
  double lexical_max_ = 0;
  double semantic_max_ = 0;
  double calibration_ = 0;
};

// The candidates with a score above zero, by score descending, then chunk rowid: the best `count`,
// and all that tie with the last of them.
std::vector<ScoredChunk> FuseCandidates(const std::vector<Candidate>& candidates,
                                        const FusionScale& scale,
                                        size_t count = std::numeric_limits<size_t>::max());

}  // namespace recall
