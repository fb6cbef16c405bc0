#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Poppler prints the letters of a word, and the words of a line, from left to right as they stand
// on the page ("visual order"). Scripts that are written from right to left are to be turned round.

// Whether the word has letters of a script that is written from right to left.
bool HasRightToLeft(std::string_view word);

// The word with its letters in the order of reading; numbers and Latin letters in it keep theirs.
// Brackets are not mirrored. Only for words that HasRightToLeft.
std::string InReadingOrder(std::string_view word);

// For the words of a line from left to right: their indices in the order of reading. A line of
// which most words are written from right to left is read from its right end, but for runs of words
// with Latin letters; in another line, only runs of words from right to left are turned round.
std::vector<uint32_t> ReadingOrder(const std::vector<std::string_view>& words);

}  // namespace recall
