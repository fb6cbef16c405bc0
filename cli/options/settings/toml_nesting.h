#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace recall {

// The most parts of a key ("a.b.c" has 3) and the most brackets that may be open at one place.
inline constexpr size_t kMaxTomlNesting = 16;

// The line, from 1, where a TOML text is nested deeper than kMaxTomlNesting; nullopt if it is not.
// A parser that recurses for each level needs a bounded stack for a text that passes. In a text
// that is not valid TOML, only what precedes the first fault is examined reliably, which is what a
// parser reads.
std::optional<size_t> LineOfDeepToml(std::string_view text);

}  // namespace recall
