#pragma once

// The words by which a line of source code can be told to define something.

#include <cstdint>
#include <string_view>

namespace recall {

// What a word at the beginning of a line says. A word may be of several classes.
enum WordClass : uint8_t {
  kModifier = 1,  // before the word that says what is defined
  kType = 2,      // its next word is the name of something with a body
  kFunction = 4,
  kValue = 8,
  kStatement = 16,  // no name of a function
};
// The classes of a word, as a union of WordClass; 0 for other words. Cost: a few comparisons.
unsigned ClassesOfWord(std::string_view word);

}  // namespace recall
