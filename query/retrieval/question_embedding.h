#pragma once

#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// A question's vector as other programs write it: a JSON array of numbers, or an object that has
// one as "embedding". Errors: InvalidArgument, which says what is wrong with it.
Result<std::vector<float>> ParseQuestionEmbedding(std::string_view json);

}  // namespace recall
