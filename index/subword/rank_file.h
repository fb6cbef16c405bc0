#pragma once

#include <memory>
#include <string_view>

#include "index/subword/piece_splitter.h"
#include "index/subword/subword_model.h"
#include "storage/base/result.h"

namespace recall {

// The pattern that splits text before bytes are merged. A rank file does not name its pattern, so
// it is derived from the number of tokens: about 50,000 for the first, 100,000 to 165,000 for the
// second, and 200,000 for the third.
enum class RankPattern {
  kGpt2,    // words with the space before them, numbers, punctuation
  kCl100k,  // numbers by three digits, a word with one character before it, newlines separate
  kO200k,   // the same; a capital begins a word, contractions stay with their word
};

// kGpt2 for up to 75,000 tokens, kCl100k for up to 180,000, kO200k for more.
RankPattern RankPatternOf(size_t tokens);
// "gpt2", "cl100k", "o200k".
std::string_view NameOf(RankPattern pattern);

// The splitter of a pattern.
std::unique_ptr<PieceSplitter> MakeRankSplitter(RankPattern pattern);

// Byte-pair encoding by a rank file, which has a line "BASE64 RANK" for each token. Adjacent tokens
// whose joined bytes are the token of the lowest rank are merged first; the rank is also the number
// of the token. Errors: Corruption, with the line, including that one of the 256 bytes is not a
// token.
Result<std::unique_ptr<SubwordModel>> MakeRankModel(std::string_view file);

}  // namespace recall
