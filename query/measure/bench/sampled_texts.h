#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "storage/store/store.h"

namespace recall {

// Samples texts of a store to be used as queries. They come from chunks of `chunks`, which must be
// live, and depend only on the store and the seed. All are different. Fewer than `most` are
// returned if the chunks do not contain more.
//
// A question is two to five consecutive words of a chunk, stop words skipped; in scripts without
// spaces, a few characters. It contains no operators.
Result<std::vector<std::string>> SampleQuestions(const ReadTransaction& transaction,
                                                 const Bitmap& chunks, size_t most, uint64_t seed);

// The same with the texts of whole chunks.
Result<std::vector<std::string>> SampleChunks(const ReadTransaction& transaction,
                                              const Bitmap& chunks, size_t most, uint64_t seed);

// The content words of a text, as written: with at least one letter, no stop words, and at least
// three bytes when folded. The results point into `text`.
std::vector<std::string_view> SalientWords(std::string_view text);

}  // namespace recall
