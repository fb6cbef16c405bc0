#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace recall {

// The tokens of an answer are counted as EstimateTokens does.

// False if a text is so long that it cannot fit, without a look at it.
bool MayFit(std::string_view text, int64_t budget);

// Returns: how many of the first `lines`, each with a newline, can stand before `last` without
// exceeding `budget` tokens.
size_t LinesThatFit(std::span<const std::string> lines, std::string_view last, int64_t budget);

// Returns: the length of the longest prefix of `text` that has at most `budget` tokens and ends
// with a line; if not even one line fits, with a whole character. 0 if nothing fits.
size_t PrefixThatFits(std::string_view text, int64_t budget);

}  // namespace recall
