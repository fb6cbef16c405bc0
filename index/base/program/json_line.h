#pragma once

// Reads the JSON that other programs and servers write.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// The size of the longest line that another program may write.
inline constexpr size_t kMostAnswerLineBytes = size_t{1} << 20;

// Whether the text has brackets more than 16 deep outside strings. A parser takes many times the
// memory of such a text, and no answer is nested like that. Any bytes are allowed.
bool IsNestedTooDeep(std::string_view json);

// Parses a line of JSON. Errors: IoError, for NaN and Infinity too; the message does not name the
// source of the line.
Result<nlohmann::json> ParseJsonLine(std::string_view line);

}  // namespace recall
