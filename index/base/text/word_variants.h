#pragma once

// Other spellings of a word, which the index has beside the word since version 3 of the tokenizer.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

enum class VariantUse { kIndex, kQuery };

// Adds the tokens by which other spellings find a folded word (fold.h), none of which is its own
// token `stem`:
//   straße -> strass   łodz -> lodz   العالم -> عالم   क़लम -> कलम
//   השלום -> שלום   in the index; of a query only the article is taken off
void AddVariants(std::u32string_view word, std::string_view stem, VariantUse use,
                 std::vector<std::string>* variants);

// A piece of a word, its characters begin .. end-1, and its token.
struct WordPiece {
  std::string token;
  size_t begin;
  size_t end;
};
// The pieces of a folded word with Hangul: overlapping pairs of syllables, and what stands between
// Hangul. Nothing for other words.
//   검색은 -> 검색 색은   api를 -> api 를
std::vector<WordPiece> HangulPieces(std::u32string_view word);

// The letters before and after the number inside a word of ASCII letters and digits; empty if it is
// not letters, one number and letters again.
//   json2xml -> json xml   base64encode -> base encode
struct LettersAroundNumber {
  std::string_view before;
  std::string_view after;
};
LettersAroundNumber FindLettersAroundNumber(std::string_view word);

}  // namespace recall
