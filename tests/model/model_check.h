#pragma once

#include <cstdint>
#include <string>

#include "query/database/database.h"
#include "tests/model/model_state.h"

namespace recall {

// Runs random queries, determined by the seed, and compares the results with the model: filters
// with the naive evaluator, BM25 and cosines with their formulas, context, `get` and counts.
// `snapshot` is the token of this state, or "" for the present one. Returns: "" or the first
// difference.
std::string CompareWithModel(Database& database, const ModelState& state, ModelBuilder& builder,
                             const std::string& snapshot, uint64_t seed);

}  // namespace recall
