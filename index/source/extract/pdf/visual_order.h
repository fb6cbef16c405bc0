#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Poppler prints the letters of a word, and the words of a line, from left to right as they stand
// on the page ("visual order"). These functions put scripts that are written from right to left
// into the order of reading.

// Whether the word has letters of a script that is written from right to left.
bool HasRightToLeft(std::string_view word);

// Returns the word with its letters in the order of reading; numbers and Latin letters in it keep
// their order. Brackets are not mirrored. Requires: HasRightToLeft(word).
std::string InReadingOrder(std::string_view word);

// Takes the words of a line from left to right and returns their indices in the order of reading. A
// line of which most words are written from right to left is read from its right end, except for
// runs of words with Latin letters. In other lines, only runs of words from right to left are
// reversed.
std::vector<uint32_t> ReadingOrder(const std::vector<std::string_view>& words);

}  // namespace recall
