#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "index/source/chunk/code_outline.h"

namespace recall {

// Source files above this size have no outline.
inline constexpr uint64_t kMostOutlineText = 4 << 20;
inline constexpr size_t kMostSymbolName = 200;  // bytes

// An outline has at most so many definitions, and so many cuts.
uint64_t MostOutlineEntries(uint64_t text_bytes);

// A name without control characters and runs of white space, in valid UTF-8, of at most
// kMostSymbolName bytes. May be empty.
std::string CleanSymbolName(std::string_view name);

// Whether an outline is what code_outline.h promises, for a text of this size, and within the
// limits above.
bool IsSoundOutline(const CodeOutline& outline, uint64_t text_bytes);

}  // namespace recall
