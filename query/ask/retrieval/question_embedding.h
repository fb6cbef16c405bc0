#pragma once

#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// Parses a query vector: a JSON array of numbers, or an object with such an array as "embedding".
// Errors: InvalidArgument with the reason.
Result<std::vector<float>> ParseQuestionEmbedding(std::string_view json);

}  // namespace recall
