#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "storage/store/store.h"

namespace recall {

// Texts of a store to ask it with: of chunks of `chunks`, which must be live ones, chosen at random
// by the seed alone. No two are equal. Fewer than `most` where there are no more to be found.
//
// Questions are two to five words that follow one another in a chunk, without the function words
// between them; of a text without spaces, a few characters. They have no operators.
Result<std::vector<std::string>> SampleQuestions(const ReadTransaction& transaction,
                                                 const Bitmap& chunks, size_t most, uint64_t seed);

// Whole chunks.
Result<std::vector<std::string>> SampleChunks(const ReadTransaction& transaction,
                                              const Bitmap& chunks, size_t most, uint64_t seed);

// The words of a text that say what it is about, as they are written: at least a letter, no
// function word. Views of `text`.
std::vector<std::string_view> SalientWords(std::string_view text);

}  // namespace recall
