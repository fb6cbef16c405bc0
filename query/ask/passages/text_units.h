#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace recall {

// A passage unit, the smallest piece of a context: a sentence, a list item, a table row, or a few
// lines of code. Offsets are bytes of the text.
struct TextUnit {
  uint64_t start = 0;  // includes the indentation if the unit starts a line
  uint64_t end = 0;    // exclusive; the end of a token
  int64_t tokens = 0;  // white-space tokens, as CountTokens counts them
};

// The maximum number of tokens of a unit: a quarter of a chunk of the default size. A longer list
// item or line is cut.
inline constexpr int64_t kLongestUnit = 64;

// Divides a text into units, in order and without overlap. Every token belongs to exactly one unit.
//
// In prose a unit ends at the end of a sentence, at a blank line, and before a list item or table
// row, unless it would have fewer than eight tokens. The minimum keeps abbreviations such as "Dr."
// from ending a sentence and avoids useless fragments. A heading belongs to the unit that follows
// it. In code (`is_code`, or between fences) units end at blank lines. A unit of more than
// kLongestUnit tokens is cut after the last line that fits, else between any two tokens. Text
// without white space is one token and is not cut.
std::vector<TextUnit> CutUnits(std::string_view text, bool is_code);

// Returns: the line number of the last byte of a text that starts at line `start_line`.
uint32_t EndLine(uint32_t start_line, std::string_view text);

}  // namespace recall
