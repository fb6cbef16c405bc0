#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "index/source/chunk/code_outline.h"

namespace recall {

// Source files above this size have no outline.
inline constexpr uint64_t kMostOutlineText = 4 << 20;
inline constexpr size_t kMostSymbolName = 200;  // bytes

// The limit of the number of definitions in an outline, and of the number of its cuts.
uint64_t MostOutlineEntries(uint64_t text_bytes);

// Returns the name in valid UTF-8, without control characters and runs of white space, cut to
// kMostSymbolName bytes. May be empty.
std::string CleanSymbolName(std::string_view name);

// Whether an outline keeps the promises of code_outline.h for a text of this size, and the limits
// above.
bool IsSoundOutline(const CodeOutline& outline, uint64_t text_bytes);

}  // namespace recall
