#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "storage/base/status.h"

namespace recall {

// Line, column and excerpt of a byte offset; past the end means the end. The text need not be
// UTF-8, the excerpt is. Cost: linear in what stands in front of the place.
TextPosition PositionOf(std::string_view text, size_t at);

// InvalidArgument at that place.
Status FaultAt(std::string_view text, size_t at, std::string message, std::string hint);
// LimitExceeded at that place.
Status LimitAt(std::string_view text, size_t at, std::string message, std::string hint);

// 'text' for a message: in quotes, on one line, cut when it is long.
std::string Quoted(std::string_view text);

}  // namespace recall
