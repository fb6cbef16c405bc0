#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace recall {

// How far `other` is from `word`, which no chunk contains, if a person would accept it instead;
// nothing otherwise. Both are folded and not stemmed. Thread-safe.
//   0 to 3  the optimal string alignment distance, if the words begin with the same letter or with
//           the same two letters swapped; at most 1 for a word of up to 5 letters, 2 up to 9, else
//           3
//   4       an inflection or derivation: they have the same beginning, of at least five letters
//           and two thirds of the longer word, or of six letters and all but three of the shorter
//   5       part of a compound, or a compound of it: one begins with the other, which has at least
//           five letters and three fewer, or ends with it; then up to two letters at the end of the
//           longer word and one of the shorter do not count. Or both are compounds that have the
//           first eight letters in common
std::optional<size_t> ReplacementDistance(std::string_view word, std::string_view other);

}  // namespace recall
