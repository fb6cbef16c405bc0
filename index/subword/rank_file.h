#pragma once

#include <memory>
#include <string_view>

#include "index/subword/piece_splitter.h"
#include "index/subword/subword_model.h"
#include "storage/base/result.h"

namespace recall {

// How text is cut before bytes are merged. A rank file does not say, so the number of its tokens
// does: vocabularies with the first pattern have some 50,000, with the second some 100,000 to
// 165,000, with the third some 200,000.
enum class RankPattern {
  kGpt2,    // words with the space before them, numbers, punctuation
  kCl100k,  // numbers in threes, a word with any one character before it, newlines apart
  kO200k,   // the same; capitals begin a word, contractions stay with theirs
};

// Up to 75,000 tokens, up to 180,000, and more.
RankPattern RankPatternOf(size_t tokens);
// "gpt2", "cl100k", "o200k".
std::string_view NameOf(RankPattern pattern);

// The splitter of a pattern.
std::unique_ptr<PieceSplitter> MakeRankSplitter(RankPattern pattern);

// Byte-pair encoding as a rank file has it: a line "BASE64 RANK" for each token. The neighbours
// whose bytes together are the token of the lowest rank are merged first; a rank is a token's
// number, too. Errors: Corruption, with the line; also when one of the 256 bytes is no token.
Result<std::unique_ptr<SubwordModel>> MakeRankModel(std::string_view file);

}  // namespace recall
