#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "query/ask/cues/cue_weights.h"
#include "query/ask/retrieval/cue_sources.h"
#include "query/types/explanations.h"

namespace recall {

// The number of leading places that cues look at, beside chunks that define a name of the question.
inline constexpr size_t kCuedPlaces = 100;
// The number of such chunks behind these places, those with the best BM25 first.
inline constexpr size_t kMostDefinitions = 32;

// The best hits of a ranking in the order of their cues. The scores of the other chunks have a
// common factor, so they stay in their order and behind.
struct CuedRanking {
  // The cues of a hit, and what became of it; was = 0: it was behind the places looked at.
  struct Effect {
    std::vector<CueEffect> cues;
    int64_t was = 0;
    int64_t rank = 0;
    double score_before = 0;
  };
  std::vector<ScoredChunk> ranking;              // in the order of ComesBefore
  Bitmap placed;                                 // the chunks of `ranking`
  double scale = 1;                              // the factor of the other chunks' scores
  double following = 0;                          // no other chunk has a higher score after it
  std::unordered_map<uint32_t, Effect> effects;  // by chunk rowid, for those in `ranking`

  // The number of leading places of `ranking` that no other chunk can be among.
  size_t FinalPlaces() const;
  // `ranking` and the chunks of `before` that are not in it, in the order of ComesBefore; up to the
  // last score of `before` unless this is `complete`.
  std::vector<ScoredChunk> With(const std::vector<ScoredChunk>& before, bool complete) const;
};

// Applies the cues to `best`, the first kCuedPlaces of a ranking or more. Returns: nothing if they
// change nothing. Errors: Corruption.
Result<std::optional<CuedRanking>> RankByCues(const CueSources& sources, const CueWeights& weights,
                                              std::vector<ScoredChunk> best);

}  // namespace recall
