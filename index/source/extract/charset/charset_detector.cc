// Problem. Bytes beyond ASCII that are not UTF-8 are letters of some charset which nothing names.
//
// Idea. Decode a sample in each charset, and ask how probable the result is as a text of the
// languages that use the charset. In alphabets the model is the pairs of letters of a language
// (letter_pair_tables.h); of East Asian languages it is which characters are frequent. The cost of
// a decoding is the sum of -2 ln(probability) over all that begins or ends with a character beyond
// ASCII: a word in ASCII says nothing of the charset. The cheapest decoding wins; of equal ones the
// first in kCandidates.
//
// Invariants. Only integers of tables are added, so that every machine finds the same charset. A
// decoding must also be plausible by itself, else bytes that are no text would have a charset: at
// most kMostCostPerPair for a pair of letters; at least a quarter of the characters frequent. Where
// most letters are of ASCII the bytes are text by these, and kMostCostAmongAscii suffices: of few
// pairs, such as the only umlaut of a line, some are rare.
//
// Cost. Linear in the sample, for each charset and language: some 5 ms for 8 KiB.

#include "index/source/extract/charset/charset_detector.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/base/text/utf8.h"
#include "index/source/extract/charset/charset_decoder.h"
#include "index/source/extract/charset/letter_pair_tables.h"

namespace recall {
namespace {

constexpr size_t kSampleBytes = 8 << 10;

// Costs are -2 ln(probability).
constexpr int64_t kMostCostPerPair = 10;
constexpr int64_t kMostCostAmongAscii = 15;
constexpr int64_t kCostOfPunctuation = 9;   // quotation marks, dashes, signs that texts have
constexpr int64_t kCostOfOtherSymbol = 18;  // any other character that is no letter
constexpr int64_t kCostOfForeignLetter = 16;
constexpr int64_t kCostWithinWord = 14;  // of a sign that has letters on both sides
constexpr int64_t kCostOfCase = 8;       // a capital after a small letter
constexpr int64_t kCostOfControl = 40;   // U+0080 to U+009F
constexpr int64_t kCostOfBadByte = 50;

// How a decoding fits a language.
struct CharsetScore {
  int64_t cost = 0;
  int64_t counted = 0;   // pairs of letters, symbols, or East Asian characters
  int64_t evidence = 0;  // of these, what only texts have: letters, typographic punctuation
  bool plausible = false;
};

enum class EastAsian : uint8_t { kJapanese, kSimplified, kTraditional, kKorean };

// The acute accent is an apostrophe of many.
bool IsTypographic(char32_t c) {
  return (c >= 0x2013 && c <= 0x2026) || c == 0xAB || c == 0xBB || c == 0xB4;
}

// What words have between their letters: apostrophes, hyphens, middle dots, joiners.
bool IsWithinWords(char32_t c) {
  return c == 0x2019 || c == 0xB4 || c == 0xB7 || c == 0xAD || (c >= 0x200C && c <= 0x2015);
}

bool IsUsualSymbol(char32_t c) {
  constexpr std::u32string_view kUsual =
      U"\u00A0\u00A1\u00A3\u00A7\u00A9\u00AB\u00AE\u00B0\u00B7\u00BB\u00BF\u20AC\u2122\u2116"
      U"\u2039\u203A\u060C\u061B\u061F\u200C\u200D\u200E\u200F";
  return IsTypographic(c) || kUsual.find(c) != kUsual.npos;
}

// Returns the code points of UTF-8.
std::u32string CodePointsOf(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  for (size_t at = 0; at < text.size();) points.push_back(DecodeUtf8(text, &at));
  return points;
}

// The letters of a language by their code points below kEnd.
class LetterIndex final {
 public:
  struct Letter {
    uint8_t index = 0;  // 0: no letter of the language
    bool upper = false;
  };

  explicit LetterIndex(const LetterPairs& pairs) {
    size_t next = 1;
    if (pairs.latin) {
      for (char c = 'a'; c <= 'z'; ++c, ++next) {
        letters_[static_cast<size_t>(c)] = {static_cast<uint8_t>(next), false};
        letters_[static_cast<size_t>(c) - 32] = {static_cast<uint8_t>(next), true};
      }
    }
    for (size_t i = 0; i < pairs.lower.size(); ++i, ++next) {
      if (pairs.upper[i] >= 0x80) letters_[pairs.upper[i]] = {static_cast<uint8_t>(next), true};
      letters_[pairs.lower[i]] = {static_cast<uint8_t>(next), false};
    }
    if (pairs.family == ScriptFamily::kTurkish) letters_[0x130] = {9, true};  // İ as i
    other_ = static_cast<uint8_t>(next);
    width_ = next + 1;
  }

  Letter operator[](char32_t c) const { return c < kEnd ? letters_[c] : Letter(); }
  uint8_t other() const { return other_; }
  size_t width() const { return width_; }

 private:
  static constexpr size_t kEnd = 0x700;
  std::array<Letter, kEnd> letters_;
  uint8_t other_ = 0;
  size_t width_ = 0;
};

bool IsLetterOfAlphabets(char32_t c) {
  if (c == 0xD7 || c == 0xF7 || c == 0x37E || c == 0x387) return false;
  return c == 0xAA || c == 0xB5 || c == 0xBA || (c >= 0xC0 && c < 0x250) ||
         (c >= 0x370 && c < 0x590) || (c >= 0x5D0 && c < 0x600) || (c >= 0x620 && c < 0x660) ||
         (c >= 0x670 && c < 0x700);
}

bool IsLetterOfAscii(char32_t c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

// What a character that is no letter of any alphabet costs.
int64_t CostOfSymbol(char32_t c) {
  if (c == 0xFFFD) return kCostOfBadByte;
  if (c < 0xA0) return kCostOfControl;
  return IsUsualSymbol(c) ? kCostOfPunctuation : kCostOfOtherSymbol;
}

// Those of kLetterPairs.
const std::vector<LetterIndex>& LetterIndexes() {
  static const auto* const indexes =
      new std::vector<LetterIndex>(kLetterPairs, kLetterPairs + kLetterPairsCount);
  return *indexes;
}

// Ends where the score costs `most`, which loses.
CharsetScore ScoreOfLanguage(const std::u32string& text, size_t language, int64_t most) {
  const LetterPairs& pairs = kLetterPairs[language];
  const LetterIndex& letters = LetterIndexes()[language];
  CharsetScore score;
  int64_t of_ascii = 0;
  LetterIndex::Letter before;
  bool before_wide = false;    // the character before is a letter beyond ASCII
  bool before_mixed = false;   // it is one of ASCII, and the language has none
  bool before_letter = false;  // it is a letter of ASCII
  bool divides = false;        // it is a sign after a letter
  for (const char32_t c : text) {
    if (score.cost >= most) return score;
    LetterIndex::Letter now = letters[c];
    const bool foreign = now.index == 0 && c >= 0x80 && IsLetterOfAlphabets(c);
    // A word has letters of one script.
    const bool ascii = IsLetterOfAscii(c);
    const bool mixed = !pairs.latin && ascii;
    of_ascii += ascii ? 1 : 0;
    if (foreign || mixed) now.index = letters.other();
    const bool wide = c >= 0x80 && now.index != 0;
    if (wide || before_wide) {
      score.cost += pairs.costs[before.index * letters.width() + now.index] - 'A';
      if (foreign || mixed || before_mixed) score.cost += kCostOfForeignLetter;
      if (now.upper && before.index != 0 && !before.upper) score.cost += kCostOfCase;
      ++score.counted;
      if (wide && !foreign) ++score.evidence;
    } else if (c >= 0x80) {
      score.cost += CostOfSymbol(c);
      ++score.counted;
      if (IsTypographic(c)) ++score.evidence;
    }
    if (c >= 0x80 && !wide && before_wide) {
      score.cost += CostOfSymbol(c);
      ++score.counted;
    }
    if (divides && (ascii || wide)) score.cost += kCostWithinWord;
    divides = c >= 0x80 && !wide && (before_wide || before_letter) && !IsWithinWords(c);
    before_letter = ascii;
    before = now;
    before_wide = wide;
    before_mixed = mixed;
  }
  const int64_t usual = of_ascii > 2 * score.counted ? kMostCostAmongAscii : kMostCostPerPair;
  score.plausible = score.evidence > 0 && score.cost <= usual * score.counted;
  return score;
}

bool IsAmong(std::u16string_view sorted, char32_t c) {
  return c < 0x10000 && std::binary_search(sorted.begin(), sorted.end(), static_cast<char16_t>(c));
}

bool IsKana(char32_t c) { return c >= 0x3041 && c <= 0x30FE; }

// The cost of a character of an East Asian charset; *common: it is a frequent one.
int64_t CostOfEastAsian(char32_t c, EastAsian language, bool* common) {
  constexpr int64_t kCommon = 11, kRare = 19, kForeign = 26;
  const bool ideograph = c >= 0x4E00 && c < 0xA000;
  const bool hangul = c >= 0xAC00 && c < 0xD7A4;
  if (c == 0xFFFD) return kCostOfBadByte;
  if (c >= 0x3001 && c <= 0x3015) return kCommon;      // 、。「」
  if (c >= 0xFF01 && c <= 0xFF5E) return kCommon + 2;  // full-width ASCII
  if (IsUsualSymbol(c)) return kCommon + 2;
  switch (language) {
    case EastAsian::kJapanese:
      *common = IsKana(c) || IsAmong(kCommonKanji, c);
      if (IsKana(c)) return c < 0x30A0 ? 9 : kCommon;
      if (c >= 0xFF61 && c <= 0xFF9F) return 14;  // half-width Katakana: a single byte
      return *common ? kCommon + 1 : ideograph ? kRare : kForeign;
    case EastAsian::kSimplified:
      *common = IsAmong(kCommonSimplified, c);
      return *common ? kCommon : ideograph ? kRare : kForeign;
    case EastAsian::kTraditional:
      *common = IsAmong(kCommonTraditional, c);
      return *common ? kCommon : ideograph ? kRare : kForeign;
    case EastAsian::kKorean:
      *common = IsAmong(kCommonHangul, c);
      return *common ? kCommon - 1 : hangul ? kRare - 1 : kForeign;
  }
  return kForeign;
}

CharsetScore ScoreOfEastAsian(const std::u32string& text, EastAsian language, int64_t most) {
  CharsetScore score;
  int64_t letters = 0;
  for (const char32_t c : text) {
    if (c < 0x80) continue;
    if (score.cost >= most) return score;
    bool common = false;
    score.cost += CostOfEastAsian(c, language, &common);
    ++score.counted;
    score.evidence += common ? 1 : 0;
    letters += c >= 0x3041 && c < 0xFF00 ? 1 : 0;
  }
  score.plausible =
      score.evidence > 0 && score.evidence * 4 >= letters && score.cost <= 16 * score.counted;
  return score;
}

// A charset, and either the languages of a family, or one East Asian language.
struct CharsetCandidate {
  std::string_view charset;
  std::optional<ScriptFamily> family;
  EastAsian language = EastAsian::kJapanese;
};

constexpr CharsetCandidate kCandidates[] = {
    {"windows-1252", ScriptFamily::kWestern},
    {"windows-1250", ScriptFamily::kCentral},
    {"iso-8859-2", ScriptFamily::kCentral},
    {"windows-1254", ScriptFamily::kTurkish},
    {"windows-1251", ScriptFamily::kCyrillic},
    {"koi8-r", ScriptFamily::kCyrillic},
    {"koi8-u", ScriptFamily::kCyrillic},
    {"ibm866", ScriptFamily::kCyrillic},
    {"windows-1253", ScriptFamily::kGreek},
    {"iso-8859-7", ScriptFamily::kGreek},
    {"windows-1255", ScriptFamily::kHebrew},
    {"windows-1256", ScriptFamily::kArabic},
    {"iso-8859-6", ScriptFamily::kArabic},
    {"shift_jis", std::nullopt, EastAsian::kJapanese},
    {"euc-jp", std::nullopt, EastAsian::kJapanese},
    {"gbk", std::nullopt, EastAsian::kSimplified},
    {"big5", std::nullopt, EastAsian::kTraditional},
    {"euc-kr", std::nullopt, EastAsian::kKorean},
};

// The score of the language that fits best. One that costs `most` or more is not complete.
CharsetScore ScoreOfCandidate(std::string_view sample, const CharsetCandidate& candidate,
                              int64_t most) {
  std::string decoded;
  AppendInCharset(sample, candidate.charset, &decoded);
  const std::u32string text = CodePointsOf(decoded);
  if (!candidate.family) return ScoreOfEastAsian(text, candidate.language, most);
  CharsetScore best{.cost = most};
  for (size_t i = 0; i < kLetterPairsCount; ++i) {
    if (kLetterPairs[i].family != *candidate.family) continue;
    const CharsetScore score = ScoreOfLanguage(text, i, best.cost);
    if (score.cost < best.cost) best = score;
  }
  return best;
}

// Returns the lines that have bytes beyond ASCII, until they are kSampleBytes. A line that is
// longer is cut, which divides at most one character.
std::string SampleOf(std::string_view bytes) {
  std::string sample;
  const auto beyond = [](char c) { return static_cast<uint8_t>(c) >= 0x80; };
  for (size_t at = 0; at < bytes.size() && sample.size() < kSampleBytes;) {
    const auto* const found = std::find_if(bytes.data() + at, bytes.data() + bytes.size(), beyond);
    const auto high = static_cast<size_t>(found - bytes.data());
    if (high == bytes.size()) break;
    const size_t line_end = bytes.rfind('\n', high);
    const size_t begin = std::max(at, line_end == bytes.npos ? 0 : line_end + 1);
    const size_t end = std::min(bytes.find('\n', high), bytes.size() - 1) + 1;
    sample.append(bytes, begin, std::min(end - begin, kSampleBytes - sample.size()));
    at = end;
  }
  return sample;
}

}  // namespace

std::string_view DetectCharset(std::string_view bytes) {
  const std::string sample = SampleOf(bytes);
  std::string_view best;
  int64_t least = INT64_MAX;
  for (const CharsetCandidate& candidate : kCandidates) {
    const CharsetScore score = ScoreOfCandidate(sample, candidate, least);
    if (score.cost >= least) continue;
    least = score.cost;
    best = score.plausible ? candidate.charset : std::string_view();
  }
  return best;
}

}  // namespace recall
