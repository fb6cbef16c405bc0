#pragma once

#include <cstdint>
#include <string>

#include "query/database.h"
#include "tests/model/model_state.h"

namespace recall {

// Asks random questions, which follow from the seed, and compares the answers with the model's:
// filters by the naive evaluator, words by counting them, meaning by every vector, context, `get`
// and counts. `snapshot`: the token under which the store shows this state, or "" at present.
// Returns: "" or the first difference.
std::string CompareWithModel(Database& database, const ModelState& state, ModelBuilder& builder,
                             const std::string& snapshot, uint64_t seed);

}  // namespace recall
