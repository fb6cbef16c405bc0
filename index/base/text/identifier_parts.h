#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "index/base/text/fold.h"

namespace recall {

// Longer words are not divided by case: they are encoded data (base64 has lines of 64 or 76
// characters) and not identifiers.
inline constexpr size_t kMaxCaseDivided = 60;

// Divides a word without underscores by case:
//   fooBar -> foo|Bar   HTTPServer -> HTTP|Server   utf8Decoder -> utf8|Decoder   URLs -> URLs
// Characters are code points, or bytes of ASCII.
template <typename Character>
class CaseDivision final {
 public:
  explicit CaseDivision(std::basic_string_view<Character> word) : word_(word) {}

  // Calls part(begin, end) for each part of the word.
  template <typename Part>
  void ForEachPart(Part part) const {
    size_t begin = 0;
    LetterCase before = LetterCase::kNone;
    const size_t divided = word_.size() <= kMaxCaseDivided ? word_.size() : 0;
    for (size_t i = 0; i < divided; ++i) {
      if (IsMark(CodePoint(i))) continue;  // belongs to the letter before it
      const LetterCase now = CaseAt(i);
      if (now == LetterCase::kUpper && i > begin && StartsPart(i, before, begin)) {
        part(begin, i);
        begin = i;
      }
      before = now;
    }
    if (begin < word_.size()) part(begin, word_.size());
  }

 private:
  uint32_t CodePoint(size_t i) const {
    return static_cast<std::make_unsigned_t<Character>>(word_[i]);
  }
  LetterCase CaseAt(size_t i) const { return CaseOf(CodePoint(i)); }

  // In CPUs and URLs, the capitals and the plural s are one part.
  bool IsPluralAt(size_t i) const {
    return word_[i] == 's' && (i + 1 == word_.size() || CaseAt(i + 1) != LetterCase::kLower);
  }

  // Whether a new part starts with the capital at `i`. `before`: the case of the preceding letter;
  // `begin`: the beginning of the current part.
  bool StartsPart(size_t i, LetterCase before, size_t begin) const {
    if (before == LetterCase::kLower) return true;
    const bool lower_next = i + 1 < word_.size() && CaseAt(i + 1) == LetterCase::kLower;
    if (!lower_next) return false;
    if (before == LetterCase::kUpper) return !IsPluralAt(i + 1);
    return before == LetterCase::kDigit && CaseAt(begin) != LetterCase::kDigit;
  }

  std::basic_string_view<Character> word_;
};

// Calls part(word) for each part of an ASCII segment: divided by underscores and by case.
template <typename Part>
void ForEachAsciiPart(std::string_view segment, Part part) {
  for (size_t begin = 0; begin < segment.size();) {
    const std::string_view word = segment.substr(begin, segment.find('_', begin) - begin);
    CaseDivision(word).ForEachPart(
        [&](size_t from, size_t to) { part(word.substr(from, to - from)); });
    begin += word.size() + 1;
  }
}

}  // namespace recall
