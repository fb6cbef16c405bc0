#pragma once

// Other spellings of a word, which the index has beside the word since version 3 of the tokenizer.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

enum class VariantUse { kIndex, kQuery };

// A word as it is written, and folded (fold.h).
struct WrittenWord {
  std::u32string_view raw;
  std::u32string_view folded;
};

// Whether a word has no other spellings, because its letters are all of ASCII.
inline bool IsAscii(std::u32string_view raw) {
  return std::ranges::all_of(raw, [](char32_t c) { return c < 0x80; });
}

// Adds the tokens by which other spellings find a word, none of which is its own token `stem`:
//   straße -> strass   łodz -> lodz   العالم -> عالم   क़लम -> कलम
//   השלום -> שלום   in the index; of a query only the article is taken off
//   Köln -> koeln   Acme™ -> acm   Theorem¹ -> theorem   in the index only
void AddVariants(const WrittenWord& word, std::string_view stem, VariantUse use,
                 std::vector<std::string>* variants);

// The token of the word with ä, ö, ü, å and ø spelled ae, oe, ue, aa and oe; empty if it has none.
std::string UmlautToken(std::u32string_view raw);

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

// The parts of a word that is written in ASCII letters and one number of at most four digits:
//   json2xml -> json 2 xml   5gb -> 5 gb   python3 -> python 3
// All empty if it is no such word, or has fewer than two letters on a side where it has any (three
// if there are none behind).
struct NumberedWord {
  std::string_view before;
  std::string_view number;
  std::string_view after;
};
NumberedWord DivideAtNumber(std::string_view word);

// Calls consume(part) with the parts of such a word that are tokens of the index beside it: its
// letters, and the number before a unit.
template <typename Consume>
void ForEachNumberedPart(const NumberedWord& word, Consume consume) {
  if (!word.before.empty()) consume(word.before);
  if (word.before.empty() && !word.number.empty()) consume(word.number);
  if (!word.after.empty()) consume(word.after);
}

}  // namespace recall
