#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/search/bitmap/bitmap.h"
#include "storage/store/store.h"

namespace recall {

// Samples texts of a store to be used as queries. They come from the chunks of `chunks`, which must
// be live, and depend only on the store and the seed. No text is returned twice. Fewer than `most`
// are returned if the chunks do not contain more.
//
// A question is two to five consecutive words of a chunk, stop words skipped; in scripts without
// spaces, a few characters. It contains no operators.
Result<std::vector<std::string>> SampleQuestions(const ReadTransaction& transaction,
                                                 const Bitmap& chunks, size_t most, uint64_t seed);

// Samples whole chunks instead of questions.
Result<std::vector<std::string>> SampleChunks(const ReadTransaction& transaction,
                                              const Bitmap& chunks, size_t most, uint64_t seed);

// Returns: the content words of a text, as written. A content word is not a stop word or a number
// and has at least three bytes when folded. The results point into `text`.
std::vector<std::string_view> SalientWords(std::string_view text);

}  // namespace recall
