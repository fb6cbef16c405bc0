#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "storage/base/status.h"

namespace recall {

// Returns: line and column, from 1, and excerpt of a byte offset. An offset past the end means the
// end. The excerpt is valid UTF-8 even if the text is not. Cost: linear in the text before the
// offset.
TextPosition PositionOf(std::string_view text, size_t at);

// An InvalidArgument status with the position of byte `at`.
Status FaultAt(std::string_view text, size_t at, std::string message, std::string hint);
// A LimitExceeded status with the position of byte `at`.
Status LimitAt(std::string_view text, size_t at, std::string message, std::string hint);

// Returns: the text as messages show it: in quotes, on one line, cut after 40 characters.
std::string Quoted(std::string_view text);

}  // namespace recall
