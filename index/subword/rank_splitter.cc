#include "index/subword/rank_splitter.h"

#include <cstdint>
#include <optional>

#include "index/base/text/utf8.h"
#include "index/subword/character_class.h"

namespace recall {
namespace {

// The tokenizers cl100k and o200k split text by regular expressions before BPE. In o200k, shortened
// (Lu, Lt, ... are Unicode categories; marks count as upper and lower case):
//
//   [^\r\n\p{L}\p{N}]?[upper]*[lower]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?      EndOfSmallWord
//   [^\r\n\p{L}\p{N}]?[upper]+[lower]*(?i:'s|'t|...)?                    EndOfCapitals
//   \p{N}{1,3}                                                           EndOfNumber
//    ?[^\s\p{L}\p{N}]+[\r\n/]*                                           EndOfSymbols
//   \s*[\r\n]+ | \s+(?!\S) | \s+                                         EndOfRankSpace
//
// The alternatives are tried in this order, as a backtracking engine does. RE2 lacks the look-ahead
// (?!\S), and any engine would cost more than the merging. Each alternative is therefore a function
// that returns the end of its match.
//
// The difficulty is backtracking: [upper]*[lower]+ must give characters back when upper and lower
// case overlap (letters without case, marks). EndOfSmallWord remembers the last character that is
// in both classes, which is where a backtracking match would end. \s+(?!\S) leaves the last
// white-space character to the following word; EndOfRankSpace remembers where that character
// begins.
//
// Cost: linear in the text; each character is decoded a bounded number of times. A test compares
// the results with those of the regular expressions.

// The character at `position` < text.size(); *next is the beginning of the following character.
uint32_t CharacterAt(std::string_view text, size_t position, size_t* next) {
  *next = position;
  return DecodeUtf8(text, next);
}

// The end of the run of characters from `position` on for which `belongs` is true.
template <typename Belongs>
size_t EndOfRun(std::string_view text, size_t position, Belongs belongs) {
  for (size_t next = position; position < text.size(); position = next) {
    if (!belongs(CharacterAt(text, position, &next))) break;
  }
  return position;
}

bool IsLineEnd(uint32_t c) { return c == '\r' || c == '\n'; }

// [^\s\p{L}\p{N}]
bool IsSymbol(uint32_t c) { return !IsWhiteSpace(c) && !IsLetter(c) && !IsNumeric(c); }

// [^\r\n\p{L}\p{N}], which may precede a word.
bool MayPrecedeWord(uint32_t c) { return !IsLineEnd(c) && !IsLetter(c) && !IsNumeric(c); }

// (?i:'s|'t|'re|'ve|'m|'ll|'d)?
size_t SkipContraction(std::string_view text, size_t position) {
  const auto at = [&](size_t offset) {
    const size_t place = position + offset;
    const char c = place < text.size() ? text[place] : '\0';
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  };
  if (at(0) != '\'') return position;
  const char first = at(1);
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return position + 2;
  const char second = at(2);
  const bool two =
      ((first == 'r' || first == 'v') && second == 'e') || (first == 'l' && second == 'l');
  if (two) return position + 3;
  // U+017F, the long s, matches s if case is ignored.
  return text.substr(position + 1).starts_with("\u017F") ? position + 3 : position;
}

// \p{N}{1,3}. Requires: a numeric character at `position`.
size_t EndOfNumber(std::string_view text, size_t position) {
  for (int digits = 0; digits < 3 && position < text.size(); ++digits) {
    size_t next = position;
    if (!IsNumeric(CharacterAt(text, position, &next))) break;
    position = next;
  }
  return position;
}

// \s*[\r\n]+|\s+(?!\S)|\s+. Requires: white space at `begin`.
size_t EndOfRankSpace(std::string_view text, size_t begin) {
  size_t position = begin;
  size_t last = begin;             // beginning of the last character
  std::optional<size_t> line_end;  // end of the last line end
  while (position < text.size()) {
    size_t next = position;
    const uint32_t c = CharacterAt(text, position, &next);
    if (!IsWhiteSpace(c)) break;
    if (IsLineEnd(c)) line_end = next;
    last = position;
    position = next;
  }
  if (line_end) return *line_end;
  return position < text.size() && last > begin ? last : position;
}

//  ?[^\s\p{L}\p{N}]+ and the characters for which `follows` is true. Returns `begin` without a
//  match.
template <typename Follows>
size_t EndOfSymbols(std::string_view text, size_t begin, Follows follows) {
  const size_t start = begin + (text[begin] == ' ' ? 1 : 0);
  const size_t end = EndOfRun(text, start, IsSymbol);
  return end == start ? begin : EndOfRun(text, end, follows);
}

// ---- Words of o200k -----------------------------------------------------------------------------

// Any number of Lu, Lt, Lm, Lo and marks, then at least one of Ll, Lm, Lo and marks. Returns
// nothing without a match.
std::optional<size_t> EndOfSmallWord(std::string_view text, size_t begin) {
  size_t position = begin;
  std::optional<size_t> last_of_both;  // end of the last character in both classes
  while (position < text.size()) {
    size_t next = position;
    const uint32_t c = CharacterAt(text, position, &next);
    if (!IsUpperLike(c)) break;
    if (IsLowerLike(c)) last_of_both = next;
    position = next;
  }
  const size_t end = EndOfRun(text, position, IsLowerLike);
  return end > position ? std::optional(end) : last_of_both;
}

// Matches at least one character of the first class, then any number of the second.
std::optional<size_t> EndOfCapitals(std::string_view text, size_t begin) {
  const size_t end = EndOfRun(text, begin, IsUpperLike);
  if (end == begin) return std::nullopt;
  return EndOfRun(text, end, IsLowerLike);
}

// A word, optionally preceded by one other character. Returns `begin` without a match.
size_t EndOfCasedWord(std::string_view text, size_t begin) {
  size_t second = begin;
  const bool may_precede = MayPrecedeWord(CharacterAt(text, begin, &second));
  for (const auto end_of : {EndOfSmallWord, EndOfCapitals}) {
    if (may_precede) {
      if (const auto end = end_of(text, second)) return SkipContraction(text, *end);
    }
    if (const auto end = end_of(text, begin)) return SkipContraction(text, *end);
  }
  return begin;
}

}  // namespace

size_t EndOfCl100kPiece(std::string_view text, size_t begin) {
  if (const size_t end = SkipContraction(text, begin); end > begin) return end;
  size_t second = begin;
  const uint32_t first = CharacterAt(text, begin, &second);
  if (IsLetter(first)) return EndOfRun(text, second, IsLetter);
  if (MayPrecedeWord(first)) {
    if (const size_t end = EndOfRun(text, second, IsLetter); end > second) return end;
  }
  if (IsNumeric(first)) return EndOfNumber(text, begin);
  if (const size_t end = EndOfSymbols(text, begin, IsLineEnd); end > begin) return end;
  return EndOfRankSpace(text, begin);
}

size_t EndOfO200kPiece(std::string_view text, size_t begin) {
  if (const size_t end = EndOfCasedWord(text, begin); end > begin) return end;
  size_t second = begin;
  if (IsNumeric(CharacterAt(text, begin, &second))) return EndOfNumber(text, begin);
  const auto follows = [](uint32_t c) { return IsLineEnd(c) || c == '/'; };
  if (const size_t end = EndOfSymbols(text, begin, follows); end > begin) return end;
  return EndOfRankSpace(text, begin);
}

void RankSplitter::Split(PieceList* list) const {
  for (const PieceList::Piece& piece : list->pieces) {
    const std::string_view view = list->view(piece);
    for (size_t position = 0; position < view.size();) {
      const size_t end = end_of_piece_(view, position);
      list->Keep(piece, piece.begin + position, piece.begin + end);
      position = end;
    }
  }
  list->TakeOtherPieces();
}

}  // namespace recall
