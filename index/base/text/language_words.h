#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace recall {

// A language with Latin letters: its code (ISO 639-1), and frequent words of its grammar in lower
// case, separated by spaces. Words of several languages are in the row of each.
struct LanguageWords {
  std::string_view code;
  std::string_view words;
};

// At most 64, by code.
std::span<const LanguageWords> LatinLanguages();

// A letter beyond a-z in lower case, and the codes of the languages that have it in many words,
// separated by spaces.
struct LetterOfLanguages {
  char32_t letter;
  std::string_view codes;
};

// By letter.
std::span<const LetterOfLanguages> LettersOfLanguages();

}  // namespace recall
