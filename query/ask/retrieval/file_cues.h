#pragma once

#include <vector>

#include "query/ask/cues/cue_scores.h"
#include "query/ask/cues/cue_weights.h"
#include "query/ask/retrieval/cue_sources.h"

namespace recall {

// Adds the cues `symbols`, `filename` and `support` (query/ask/cues/cue_weights.h) to the chunks,
// whose definitions are known. Without source code among them nothing changes. Errors:
// Corruption.
Status AddFileCues(const CueSources& sources, const CueWeights& weights,
                   std::vector<CuedChunk>& cued);

}  // namespace recall
