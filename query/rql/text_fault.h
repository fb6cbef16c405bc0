#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "storage/base/status.h"

namespace recall {

// Line, column and excerpt of a byte offset. An offset past the end means the end. The excerpt is
// valid UTF-8 even if the text is not. Cost: linear in the text before the offset.
TextPosition PositionOf(std::string_view text, size_t at);

// An InvalidArgument status with the position of byte `at`.
Status FaultAt(std::string_view text, size_t at, std::string message, std::string hint);
// A LimitExceeded status with the position of byte `at`.
Status LimitAt(std::string_view text, size_t at, std::string message, std::string hint);

// The text for a message: in quotes, on one line, cut if it is long.
std::string Quoted(std::string_view text);

}  // namespace recall
