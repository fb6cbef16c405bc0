#pragma once

// What the edits of both formats share.

#include <cstddef>
#include <string>
#include <string_view>

#include "storage/base/status.h"

namespace recall {

// The place of a byte, with the column in characters.
TextPosition PositionAt(std::string_view text, size_t at);

// The line end of a text: that of its first line; "\n" if it has only one line.
std::string NewlineOf(std::string_view text);

// A string in double quotes, with escapes that JSON and TOML share.
std::string QuotedText(std::string_view text);

// Unsupported: no edit of the text was found that changes the entry and nothing else.
Status MustBeEditedByHand();

}  // namespace recall
