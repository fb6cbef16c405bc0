#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace recall {

// The least a context takes of a text: a sentence, a line of a list or table, a few lines of code.
struct TextUnit {
  uint64_t start = 0;  // of the indentation when it starts a line
  uint64_t end = 0;    // of a token, exclusive
  int64_t tokens = 0;  // whitespace tokens, as CountTokens counts them
};

// No unit has more tokens: a quarter of a chunk of the default size.
inline constexpr int64_t kLongestUnit = 64;

// Cuts a text into units: in order, without overlap, every token in exactly one.
//
// Prose ends a unit at the end of a sentence, a blank line, an item of a list or a row of a table,
// unless it would be of fewer than eight tokens: "Dr." ends no sentence, and a fragment tells a
// reader nothing. A heading belongs to what follows it. Code (`is_code`, or between fences) ends
// one at blank lines. Units are cut at kLongestUnit tokens: after the last line that fits, else
// anywhere between tokens; text without white space is one token, and stays whole.
std::vector<TextUnit> CutUnits(std::string_view text, bool is_code);

// The line of the last byte of a text that starts at `start_line`.
uint32_t EndLine(uint32_t start_line, std::string_view text);

}  // namespace recall
