#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// For "did you mean": the word that was probably meant instead of a misspelt one.

// Returns: the Levenshtein distance in bytes (insertions, deletions and replacements).
size_t EditDistance(std::string_view a, std::string_view b);

// Returns: the only candidate that starts with `word`, if that has at least three letters;
// otherwise the candidate that is nearest to `word`, if few of its letters differ; otherwise "".
std::string NearestWord(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace recall
