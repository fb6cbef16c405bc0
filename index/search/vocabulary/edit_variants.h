#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Returns the texts that one typing error separates from `word`: one letter left out, added or
// replaced, or two neighbouring letters swapped (optimal string alignment distance 1; Damerau, "A
// technique for computer detection and correction of spelling errors", 1964). Letters are added
// from the scripts of the word: a-z, and the blocks of 64 code points of its other letters. Each
// variant once, in unspecified order. `word` is folded. Cost: 2 * letters * size of the alphabet.
std::vector<std::string> OneEditVariants(std::string_view word);

}  // namespace recall
