#pragma once

// Unicode properties and folding of characters, as far as tokens need them. Thread-safe.

#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

enum class CharacterKind : uint8_t {
  kSeparator,
  kWord,       // letters, digits, and marks (Mn, Mc), which only continue a word
  kBigram,     // scripts written without spaces: Thai, Lao, Myanmar, Khmer, kana, Han
  kInvisible,  // diacritics, soft hyphen, joiners, variation selectors: folding drops them
};

// The kind of the character to which a character folds: U+2460 (circled 1) is a word character,
// U+FF66 (halfwidth katakana) a bigram character, U+FF0C (fullwidth comma) a separator.
CharacterKind KindBeforeFolding(uint32_t code_point);

// The kind of a character of folded text; never kInvisible.
CharacterKind KindAfterFolding(uint32_t code_point);

bool IsMarkBeyondLatin(uint32_t code_point);
inline bool IsMark(uint32_t code_point) {
  constexpr uint32_t kFirstMark = 0x300;
  return code_point >= kFirstMark && IsMarkBeyondLatin(code_point);
}

enum class LetterCase : uint8_t { kNone, kLower, kUpper, kDigit };
LetterCase CaseBeyondAscii(uint32_t code_point);
inline LetterCase CaseOf(uint32_t code_point) {
  if (code_point >= 'a' && code_point <= 'z') return LetterCase::kLower;
  if (code_point >= 'A' && code_point <= 'Z') return LetterCase::kUpper;
  if (code_point >= '0' && code_point <= '9') return LetterCase::kDigit;
  return code_point < 0x80 ? LetterCase::kNone : CaseBeyondAscii(code_point);
}

// Appends NFC(drop U+0300-036F(NFD(lower case(NFKC(text))))), with final sigma as sigma. Only the
// characters of `text` are composed; the earlier contents of *out stay as they are.
void FoldAppend(std::u32string_view text, std::u32string* out);

// The same without dropping diacritics: "Ärzte" -> "ärzte".
void LowerAppend(std::u32string_view text, std::u32string* out);

}  // namespace recall
