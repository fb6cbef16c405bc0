#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "query/types/score_parts.h"

namespace recall {

// A chunk and its scores by the two retrievers.
struct Candidate {
  uint32_t chunk = 0;   // chunk rowid
  double lexical = 0;   // BM25; 0: the lexical query does not match
  double semantic = 0;  // cosine, in [-1, 1]
};

struct FusionOptions {
  // Weights are not negative, and only their ratio matters. If both are 0, every score is 0.
  double lexical_weight = 1;
  double semantic_weight = 0;
  double lexical_upper_bound = 0;  // LexicalCandidates::score_upper_bound
};

struct ScoredChunk {
  Candidate candidate;
  double score = 0;                   // in [0, 1]; 0: no evidence
  std::optional<double> ngrams = {};  // BM25 of character n-grams; unset if it was not computed
  ScoreParts parts;                   // their sum is the score before calibration
};

// The order of rankings: by score descending, then by chunk rowid ascending.
bool ComesBefore(const ScoredChunk& a, const ScoredChunk& b);

// Removes the chunks with a lower score. Requires: the ranking is in this order.
void EraseBelow(double score, std::vector<ScoredChunk>& ranking);

// Returns: value / maximum, at most 1; 0 if either is not above 0.
double ShareOf(double value, double maximum);

// The fusion formula of one query, with its weights and maxima. A score is the weighted sum of the
// two retrievers' scores, each divided by its maximum over the best candidates, then multiplied by
// a calibration factor. The factor gives the best candidate of a bad query a low score: it makes
// the largest sum equal to the largest absolute evidence of any candidate, which is
//   weight_l * BM25 / upper bound + weight_s * cosine      with weights that add up to 1
// With one retriever, the score is exactly BM25 / upper bound, or the cosine (docs/RETRIEVAL.md,
// "First stage: fusion"). Immutable, therefore thread-safe.
class FusionScale final {
 public:
  FusionScale() = default;  // every score is 0
  // Computes the maxima and the factor over `best`. Requires: `best` contains the best candidate of
  // each retriever.
  FusionScale(const std::vector<Candidate>& best, const FusionOptions& options);
  // A formula that does not depend on the candidates: the weighted mean of BM25 / upper bound and
  // cosine.
  static FusionScale Absolute(const FusionOptions& options);

  // Monotonic in both scores of the candidate.
  ScoredChunk Fuse(const Candidate& candidate) const;
  // score = (parts.lexical + parts.semantic) * calibration
  double calibration() const { return calibration_; }

 private:
  // Returns: false if no weight is above 0.
  bool SetWeights(const FusionOptions& options);

  double lexical_weight_ = 0;  // the two add up to 1
  double semantic_weight_ = 0;
  double lexical_max_ = 0;
  double semantic_max_ = 0;
  double calibration_ = 0;
};

// Returns: the best `count` candidates and all that tie with the last of them, in the order of
// rankings. Candidates with a score of 0 are left out.
std::vector<ScoredChunk> FuseCandidates(const std::vector<Candidate>& candidates,
                                        const FusionScale& scale,
                                        size_t count = std::numeric_limits<size_t>::max());

}  // namespace recall
