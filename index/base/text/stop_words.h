#pragma once

#include <string_view>

namespace recall {

// Whether `word`, which is folded, is an English function word, which carries no information about
// the subject of a text.
bool IsStopWord(std::string_view word);

// Whether `word`, which is folded and has no apostrophe, is a contraction of two function words, as
// "dont" is; not one that is another word, too, as "well" is.
bool IsContraction(std::string_view word);

// Whether `stem` is the stem of such a word in the index. Thread-safe.
bool IsStopStem(std::string_view stem);

}  // namespace recall
