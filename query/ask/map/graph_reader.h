#pragma once

#include <cstdint>

#include "query/ask/map/definition_ranking.h"
#include "query/ask/map/map_source.h"

namespace recall {

// Reads the texts of the documents of `source`, and what they use. `scope`: the chunks in which
// uses count; null: all. The fits stay 0, and the factors 1. The graph is the same for any number
// of threads. Errors: Corruption.
Result<CodeGraph> ReadGraph(const TextsAndFacts& texts, const MapSource& source,
                            const Bitmap* scope, uint32_t threads);

}  // namespace recall
