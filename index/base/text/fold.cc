#include "index/base/text/fold.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "storage/base/ascii.h"

namespace recall {
namespace {

// Folding makes spellings of a word equal that a searcher regards as equal:
//
//   "Ｆｕｌｌ" -> "full"   "Café" -> "cafe"   "ﬁle" -> "file"   "ΟΔΟΣ" -> "οδοσ"
//
// The form is NFC(drop U+0300-036F(NFD(lower case(NFKC(text))))): compatibility decomposition
// (Unicode Standard Annex 15), lower case, removal of the combining diacritics, and composition of
// the rest. Diacritics are removed only in that block. Marks of Indic and other scripts are vowels
// and are part of the word; they are kept. Final sigma becomes sigma.
//
// Characters are classified before folding, to divide text into segments, and after folding, to
// divide segments into runs. The class before folding is that of the character's decomposition, so
// that both agree: a circled digit is a word character, and a fullwidth comma is a separator.
//
// Composition needs marks in canonical order (ascending combining class, equal classes in text
// order). Lower-casing and removal change only single characters, so one stable sort per run of
// marks restores the order.
//
// Cost: ASCII, common Han characters and syllables of Hangul are copied without a table look-up.
// What is known of a character below U+3000 is computed when it is first seen and then kept (Memo);
// text in which no character can be reordered or composed, which is nearly all text, needs neither
// sorting nor composition.

// The longest compatibility decomposition of one character is 18 (U+FDFA).
constexpr int kMaxDecomposition = 32;

bool IsCommonHan(uint32_t c) { return c >= 0x4E00 && c <= 0x9FFF; }
bool IsHangulSyllable(uint32_t c) { return c >= 0xAC00 && c <= 0xD7A3; }

// Values by character, each computed when it is first asked for. Thread-safe: a value depends only
// on the character, so it does not matter which thread stores it.
class Memo final {
 public:
  static constexpr uint32_t kEnd = 0x3000;  // characters beyond are not kept

  // compute(c) returns less than 2^31.
  template <typename Compute>
  uint32_t Get(uint32_t c, const Compute& compute) {
    if (c >= kEnd) return compute(c);
    const uint32_t known = values_[c].load(std::memory_order_relaxed);
    if (known != 0) return known & ~kKnown;
    const uint32_t value = compute(c);
    values_[c].store(value | kKnown, std::memory_order_relaxed);
    return value;
  }

 private:
  static constexpr uint32_t kKnown = uint32_t{1} << 31;
  std::array<std::atomic<uint32_t>, kEnd> values_{};
};

bool InBigramScript(uint32_t c) {
  struct Range {
    uint32_t first;
    uint32_t last;
  };
  constexpr Range kRanges[] = {
      {0x0E00, 0x0EFF},    // Thai, Lao
      {0x1000, 0x109F},    // Myanmar
      {0x1780, 0x17FF},    // Khmer
      {0x3005, 0x3007},    // ideographic iteration mark, closing mark, zero
      {0x3040, 0x30FF},    // Hiragana, Katakana
      {0x31F0, 0x31FF},    // Katakana phonetic extensions
      {0x3400, 0x4DBF},    // Han extension A
      {0x4E00, 0x9FFF},    // Han
      {0xA9E0, 0xA9FF},    // Myanmar extended B
      {0xAA60, 0xAA7F},    // Myanmar extended A
      {0xF900, 0xFAFF},    // Han compatibility
      {0x1AFF0, 0x1B16F},  // kana supplements
      {0x20000, 0x3FFFF},  // Han extensions B and later
  };
  const Range* range = std::find_if(std::begin(kRanges), std::end(kRanges),
                                    [c](const Range& candidate) { return c <= candidate.last; });
  return range != std::end(kRanges) && c >= range->first;
}

bool IsLetterMarkOrDigit(utf8proc_propval_t category) {
  switch (category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return true;
    default:
      return false;
  }
}

const utf8proc_property_t& PropertyOf(uint32_t code_point) {
  return *utf8proc_get_property(static_cast<utf8proc_int32_t>(code_point));
}

// Compatibility decomposition without invisible characters. Returns the number of characters
// written.
int Decompose(uint32_t code_point, utf8proc_int32_t* out) {
  int boundary = 0;
  const utf8proc_ssize_t count = utf8proc_decompose_char(
      static_cast<utf8proc_int32_t>(code_point), out, kMaxDecomposition,
      static_cast<utf8proc_option_t>(UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_IGNORE),
      &boundary);
  return static_cast<int>(std::clamp<utf8proc_ssize_t>(count, 0, kMaxDecomposition));
}

bool IsDroppedDiacritic(uint32_t c) { return c >= 0x300 && c <= 0x36F; }

uint32_t ToLower(uint32_t c) {
  constexpr uint32_t kFinalSigma = 0x3C2;
  constexpr uint32_t kSigma = 0x3C3;
  const auto lower = static_cast<uint32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
  return lower == kFinalSigma ? kSigma : lower;
}

// Puts each run of marks in the order of their combining classes, as composition requires.
void OrderMarks(char32_t* first, char32_t* last) {
  const auto by_class = [](char32_t a, char32_t b) {
    return PropertyOf(a).combining_class < PropertyOf(b).combining_class;
  };
  const auto is_mark = [](char32_t c) { return PropertyOf(c).combining_class != 0; };
  while (first != last) {
    char32_t* const run = std::find_if(first, last, is_mark);
    first = std::find_if_not(run, last, is_mark);
    if (!std::is_sorted(run, first, by_class)) std::stable_sort(run, first, by_class);
  }
}

// Whether diacritics are part of the result.
enum class Diacritics { kDropped, kKept };

// The characters below Memo::kEnd that composition may join with the one before (NFC_Quick_Check is
// Maybe), other than the diacritics: some marks, and vowels and final consonants of Hangul.
bool MayJoinBefore(uint32_t c) {
  constexpr uint32_t kSingle[] = {0x93C, 0x9BE, 0x9D7, 0xB3E,  0xB56, 0xB57, 0xBBE,
                                  0xBD7, 0xC56, 0xCC2, 0xCD5,  0xCD6, 0xD3E, 0xD57,
                                  0xDCA, 0xDCF, 0xDDF, 0x102E, 0x1B35};
  if (c >= 0x300 && c <= 0x36F) return true;
  if ((c >= 0x653 && c <= 0x655) || (c >= 0x1100 && c <= 0x11FF)) return true;
  return std::ranges::binary_search(kSingle, c);
}

// Appends the characters of one character, in lower case and without composition.
void AppendParts(char32_t c, Diacritics diacritics, std::u32string* out) {
  utf8proc_int32_t parts[kMaxDecomposition];
  const int count = Decompose(c, parts);
  for (int i = 0; i < count; ++i) {
    const uint32_t lower = ToLower(static_cast<uint32_t>(parts[i]));
    const bool dropped = diacritics == Diacritics::kDropped && IsDroppedDiacritic(lower);
    if (!dropped) out->push_back(lower);
  }
}

// Orders and composes the characters from `start` on.
void Compose(size_t start, std::u32string* out) {
  char32_t* const first = out->data() + start;
  OrderMarks(first, out->data() + out->size());
  static_assert(sizeof(char32_t) == sizeof(utf8proc_int32_t));
  const utf8proc_ssize_t size =
      utf8proc_normalize_utf32(reinterpret_cast<utf8proc_int32_t*>(first),
                               static_cast<utf8proc_ssize_t>(out->size() - start),
                               static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  out->resize(start + static_cast<size_t>(std::max<utf8proc_ssize_t>(size, 0)));
}

// What one character beyond ASCII becomes on its own, if that is one character which no other one
// can be reordered or composed with, whatever stands beside it; otherwise 0.
uint32_t SettledForm(uint32_t c, Diacritics diacritics) {
  if (IsCommonHan(c) || IsHangulSyllable(c)) return c;
  if (c >= Memo::kEnd) return 0;
  std::u32string form;
  AppendParts(c, diacritics, &form);
  if (form.empty() || PropertyOf(form.front()).combining_class != 0) return 0;
  if (MayJoinBefore(form.front())) return 0;
  Compose(0, &form);
  // Marks may follow a composed character that its own marks have to be ordered with.
  return form.size() == 1 && form.front() < Memo::kEnd ? form.front() : 0;
}

// The same for characters of any text, from a memo.
uint32_t FindSettledForm(uint32_t c, Diacritics diacritics) {
  static constinit Memo dropped;
  static constinit Memo kept;
  if (c >= Memo::kEnd) return SettledForm(c, diacritics);
  Memo& memo = diacritics == Diacritics::kDropped ? dropped : kept;
  return memo.Get(c, [&](uint32_t asked) { return SettledForm(asked, diacritics); });
}

void AppendInLowerCase(std::u32string_view text, Diacritics diacritics, std::u32string* out) {
  const size_t start = out->size();
  bool settled = true;  // no character can be reordered or composed
  for (const char32_t c : text) {
    const uint32_t form = c >= 0x80         ? FindSettledForm(c, diacritics)
                          : IsAsciiUpper(c) ? c + ('a' - 'A')
                                            : uint32_t{c};
    settled = c < 0x80 || form != 0;
    if (!settled) break;
    out->push_back(form);
  }
  if (settled) return;
  out->resize(start);
  for (const char32_t c : text) {
    if (c < 0x80) {
      out->push_back(IsAsciiUpper(c) ? c + ('a' - 'A') : c);
    } else if (IsCommonHan(c)) {
      out->push_back(c);
    } else {
      AppendParts(c, diacritics, out);
    }
  }
  Compose(start, out);
}

// The properties of a character, packed for a memo: KindAfterFolding, then KindBeforeFolding, then
// LetterCase, two bits each, then whether it is a mark.
constexpr uint32_t kBeforeShift = 2;
constexpr uint32_t kCaseShift = 4;
constexpr uint32_t kMarkShift = 6;

CharacterKind ComputeKindAfter(uint32_t code_point) {
  if (code_point < 0x80) {
    return IsAsciiLower(code_point) || IsAsciiDigit(code_point) || IsAsciiUpper(code_point)
               ? CharacterKind::kWord
               : CharacterKind::kSeparator;
  }
  if (IsCommonHan(code_point)) return CharacterKind::kBigram;
  if (!IsLetterMarkOrDigit(PropertyOf(code_point).category)) return CharacterKind::kSeparator;
  return InBigramScript(code_point) ? CharacterKind::kBigram : CharacterKind::kWord;
}

CharacterKind ComputeKindBefore(uint32_t code_point) {
  if (code_point < 0x80 || IsCommonHan(code_point)) return ComputeKindAfter(code_point);
  if (IsDroppedDiacritic(code_point)) return CharacterKind::kInvisible;
  const utf8proc_property_t& property = PropertyOf(code_point);
  if (property.ignorable) {
    // Some writers use zero width space and non-joiner in place of a space.
    const bool separates = code_point == 0x200B || code_point == 0x200C;
    return separates ? CharacterKind::kSeparator : CharacterKind::kInvisible;
  }
  if (property.decomp_type == 0) return ComputeKindAfter(code_point);
  utf8proc_int32_t parts[kMaxDecomposition];
  const int count = Decompose(code_point, parts);
  for (int i = 0; i < count; ++i) {
    const CharacterKind kind = ComputeKindAfter(static_cast<uint32_t>(parts[i]));
    if (kind != CharacterKind::kSeparator) return kind;
  }
  return CharacterKind::kSeparator;
}

bool ComputeIsMark(uint32_t code_point) {
  const utf8proc_propval_t category = PropertyOf(code_point).category;
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC;
}

LetterCase ComputeCase(uint32_t code_point) {
  switch (PropertyOf(code_point).category) {
    case UTF8PROC_CATEGORY_LL:
      return LetterCase::kLower;
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
      return LetterCase::kUpper;
    case UTF8PROC_CATEGORY_ND:
      return LetterCase::kDigit;
    default:
      return LetterCase::kNone;
  }
}

// Requires: code_point < Memo::kEnd.
uint32_t FindProperties(uint32_t code_point) {
  static constinit Memo memo;
  return memo.Get(code_point, [](uint32_t c) {
    return static_cast<uint32_t>(ComputeKindAfter(c)) |
           static_cast<uint32_t>(ComputeKindBefore(c)) << kBeforeShift |
           static_cast<uint32_t>(ComputeCase(c)) << kCaseShift |
           static_cast<uint32_t>(ComputeIsMark(c)) << kMarkShift;
  });
}

}  // namespace

CharacterKind KindAfterFolding(uint32_t code_point) {
  if (code_point >= Memo::kEnd) return ComputeKindAfter(code_point);
  return static_cast<CharacterKind>(FindProperties(code_point) & 3);
}

CharacterKind KindBeforeFolding(uint32_t code_point) {
  if (code_point >= Memo::kEnd) return ComputeKindBefore(code_point);
  return static_cast<CharacterKind>(FindProperties(code_point) >> kBeforeShift & 3);
}

bool IsMarkBeyondLatin(uint32_t code_point) {
  if (code_point >= Memo::kEnd) return ComputeIsMark(code_point);
  return (FindProperties(code_point) >> kMarkShift & 1) != 0;
}

LetterCase CaseBeyondAscii(uint32_t code_point) {
  if (code_point >= Memo::kEnd) return ComputeCase(code_point);
  return static_cast<LetterCase>(FindProperties(code_point) >> kCaseShift & 3);
}

void FoldAppend(std::u32string_view text, std::u32string* out) {
  AppendInLowerCase(text, Diacritics::kDropped, out);
}

void LowerAppend(std::u32string_view text, std::u32string* out) {
  AppendInLowerCase(text, Diacritics::kKept, out);
}

}  // namespace recall
