#pragma once

#include <optional>
#include <vector>

#include "query/ask/ranking/fusion.h"
#include "query/types/explanations.h"

namespace recall {

// A chunk of a ranking with its cues.
struct CuedChunk {
  ScoredChunk scored;
  int64_t was = 0;                   // rank before, from 1; 0: behind all that were looked at
  double definition = 0;             // what the definition of a name adds
  double others = 0;                 // what the other cues add
  double factor = 1;                 // the product of the factors of its roles and of imports
  std::vector<CueEffect> cues = {};  // why, for --explain
};

// Applies the cues and sorts in the order of ComesBefore:
//   score = best * (score / best + definition + others) * factor / greatest
// `best` is the best score before, and `greatest` the greatest value of such a product, at least 1:
// so the best score stays what it was. Factors are divided by the greatest factor, so nothing
// changes where all files have the same role. Returns: 1 / greatest, the factor of the scores of
// chunks that have no cues; nothing if no score changes: they have the same bits then.
std::optional<double> ApplyCues(std::vector<CuedChunk>& chunks);

}  // namespace recall
