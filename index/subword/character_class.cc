#include "index/subword/character_class.h"

#include <utf8proc.h>

namespace recall {
namespace {

utf8proc_category_t CategoryOf(uint32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

bool IsAsciiPunctuation(uint32_t c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

bool IsAsciiLetter(uint32_t c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

bool IsIn(uint32_t c, uint32_t first, uint32_t last) { return c >= first && c <= last; }

// Symbols with the property Alphabetic: circled and squared letters.
bool IsAlphabeticSymbol(uint32_t c) {
  return IsIn(c, 0x24B6, 0x24E9) || IsIn(c, 0x1F130, 0x1F149) || IsIn(c, 0x1F150, 0x1F169) ||
         IsIn(c, 0x1F170, 0x1F189);
}

}  // namespace

bool IsSubwordPunctuation(uint32_t c) {
  if (c < 0x80) return IsAsciiPunctuation(c);
  const utf8proc_category_t category = CategoryOf(c);
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

bool IsWordCharacter(uint32_t c) {
  if (c < 0x80) return IsAsciiLetter(c) || IsIn(c, '0', '9') || c == '_';
  if (c == 0x200C || c == 0x200D) return true;
  switch (CategoryOf(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return IsAlphabeticSymbol(c);
  }
}

bool IsLetter(uint32_t c) {
  if (c < 0x80) return IsAsciiLetter(c);
  const utf8proc_category_t category = CategoryOf(c);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool IsNumeric(uint32_t c) {
  if (c < 0x80) return IsIn(c, '0', '9');
  const utf8proc_category_t category = CategoryOf(c);
  return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

bool IsUpperLike(uint32_t c) {
  if (c < 0x80) return IsIn(c, 'A', 'Z');
  const utf8proc_category_t category = CategoryOf(c);
  return category != UTF8PROC_CATEGORY_LL && category >= UTF8PROC_CATEGORY_LU &&
         category <= UTF8PROC_CATEGORY_ME;
}

bool IsLowerLike(uint32_t c) {
  if (c < 0x80) return IsIn(c, 'a', 'z');
  const utf8proc_category_t category = CategoryOf(c);
  return category != UTF8PROC_CATEGORY_LU && category != UTF8PROC_CATEGORY_LT &&
         category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ME;
}

bool IsNonspacingMark(uint32_t c) { return c >= 0x300 && CategoryOf(c) == UTF8PROC_CATEGORY_MN; }

bool IsAnyMark(uint32_t c) {
  if (c < 0x300) return false;
  const utf8proc_category_t category = CategoryOf(c);
  return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

bool IsControl(uint32_t c) {
  const utf8proc_category_t category = CategoryOf(c);
  return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
         category == UTF8PROC_CATEGORY_CO;
}

bool IsBertChinese(uint32_t c) {
  return IsIn(c, 0x4E00, 0x9FFF) || IsIn(c, 0x3400, 0x4DBF) || IsIn(c, 0x20000, 0x2A6DF) ||
         IsIn(c, 0x2A700, 0x2B73F) || IsIn(c, 0x2B740, 0x2B81F) || IsIn(c, 0x2B920, 0x2CEAF) ||
         IsIn(c, 0xF900, 0xFAFF) || IsIn(c, 0x2F800, 0x2FA1F);
}

}  // namespace recall
