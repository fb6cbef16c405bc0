// Problem: a reader types "Lodz", "strasse" or "عالم" and means Łódź, Straße and العالم. Folding
// (fold.h) removes what Unicode decomposes, and these do not decompose.
//
// Idea: the word stays as it is in `body`, so lengths, models and n-grams stay, too; the other
// spelling is a further token in `compound`. A query asks for both, so an occurrence of the exact
// word counts twice and ranks first.
//
//   Latin    letters without decomposition become letters of a-z; then Porter stems
//   Arabic   the normaliser and light stemmer of Lucene (Larkey, Ballesteros, Connell: light10)
//   Hebrew   points are dropped; one prefix of one letter is taken off if three letters remain
//   Indic    nuktas are dropped
//   Hangul   overlapping pairs of syllables, as of Han; a syllable alone is a piece
//   German   ä is also ae, as people type it; likewise ö, ü, and å and ø of Scandinavia
//   marks    ™ and superscript digits fold to letters and digits, and are no part of the word
//   names    json and xml of json2xml, 5 and gb of 5gb: words are not divided at digits
//
// Cost: only words with a character beyond ASCII or a digit come here, and the tokenizer caches the
// result.

#include "index/base/text/word_variants.h"

#include <algorithm>
#include <array>

#include "index/base/text/fold.h"
#include "index/base/text/latin_letters.h"
#include "index/base/text/segment_analyzer.h"
#include "index/base/text/snowball.h"
#include "index/base/text/token_limits.h"
#include "index/base/text/utf8.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

constexpr auto kNuktas = std::to_array<char32_t>({0x93C, 0x9BC, 0xA3C, 0xABC, 0xB3C, 0xCBC});

bool IsIn(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }
bool IsCyrillic(char32_t c) { return IsIn(c, 0x400, 0x4FF); }
bool IsArabic(char32_t c) { return IsIn(c, 0x620, 0x6FF); }
bool IsHebrewLetter(char32_t c) { return IsIn(c, 0x5D0, 0x5EA); }
bool IsHebrewPoint(char32_t c) { return IsIn(c, 0x591, 0x5C7); }
bool IsHangul(char32_t c) {
  return IsIn(c, 0xAC00, 0xD7A3) || IsIn(c, 0x1100, 0x11FF) || IsIn(c, 0xA960, 0xA97F) ||
         IsIn(c, 0xD7B0, 0xD7FF);
}

// ArabicNormalizer, and the letters that Persian and Urdu have for two of them. 0: dropped.
char32_t NormalArabic(char32_t c) {
  constexpr char32_t kAlef = 0x627, kHeh = 0x647, kYeh = 0x64A, kKaf = 0x643;
  switch (c) {
    case 0x622:
    case 0x623:
    case 0x625:
    case 0x671:
      return kAlef;
    case 0x629:
      return kHeh;
    case 0x649:
    case 0x6CC:
      return kYeh;
    case 0x6A9:
      return kKaf;
    case 0x640:
    case 0x670:
      return 0;
    default:
      return IsIn(c, 0x64B, 0x65F) ? 0 : c;
  }
}

// ArabicStemmer: the first prefix that fits, then each suffix that fits.
std::u32string StemArabic(std::u32string word) {
  constexpr std::u32string_view kPrefixes[] = {U"ال", U"وال", U"بال", U"كال", U"فال", U"لل", U"و"};
  constexpr std::u32string_view kSuffixes[] = {U"ها", U"ان", U"ات", U"ون", U"ين",
                                               U"يه", U"ية", U"ه",  U"ة",  U"ي"};
  constexpr size_t kLeftOfWord = 2;
  for (const std::u32string_view prefix : kPrefixes) {
    const size_t left = prefix.size() == 1 ? 3 : kLeftOfWord;
    if (!word.starts_with(prefix) || word.size() < prefix.size() + left) continue;
    word.erase(0, prefix.size());
    break;
  }
  for (const std::u32string_view suffix : kSuffixes) {
    if (!word.ends_with(suffix) || word.size() < suffix.size() + kLeftOfWord) continue;
    word.resize(word.size() - suffix.size());
  }
  return word;
}

// The word in other letters; dropped characters are left out.
std::u32string Respell(std::u32string_view word) {
  std::u32string spelled;
  for (const char32_t c : word) {
    if (c < 0x80) {
      spelled += c;
    } else if (IsArabic(c)) {
      if (const char32_t normal = NormalArabic(c)) spelled += normal;
    } else if (const std::string_view latin = SpelledInAscii(c); !latin.empty()) {
      for (const char letter : latin) spelled += static_cast<char32_t>(letter);
    } else if (!IsHebrewPoint(c) && std::ranges::find(kNuktas, c) == kNuktas.end()) {
      spelled += c;
    }
  }
  return spelled;
}

std::u32string Folded(std::u32string_view raw) {
  std::u32string folded;
  FoldAppend(raw, &folded);
  return folded;
}

// The token of folded characters.
std::string TokenOf(std::u32string_view word) {
  std::string token;
  for (const char32_t c : word) {
    const size_t before = token.size();
    AppendUtf8(c, &token);
    if (token.size() > kMaxTokenBytes) {
      token.resize(before);
      break;
    }
  }
  if (!token.empty()) StemFrom(0, &token);
  return token;
}

// The letters for which people without them type two: ä is ae.
std::u32string_view SpelledUmlaut(char32_t c) {
  switch (c) {
    case U'ä':
    case U'Ä':
      return U"ae";
    case U'ö':
    case U'Ö':
    case U'ø':
    case U'Ø':
      return U"oe";
    case U'ü':
    case U'Ü':
      return U"ue";
    case U'å':
    case U'Å':
      return U"aa";
    default:
      return {};
  }
}

// The word as it is written, without ™ and superscript digits at its end.
std::u32string_view WithoutMarks(std::u32string_view raw) {
  constexpr std::u32string_view kMarks = U"™℠¹²³⁰⁴⁵⁶⁷⁸⁹";
  while (!raw.empty() && kMarks.find(raw.back()) != kMarks.npos) raw.remove_suffix(1);
  return raw;
}

// A folded Cyrillic word, but with й, which folding makes и: endings of Russian have it.
std::u32string WithShortI(std::u32string_view raw) {
  constexpr char32_t kBreve = 0x306;
  std::u32string word;
  for (size_t i = 0; i < raw.size(); ++i) {
    const bool apart = i + 1 < raw.size() && raw[i + 1] == kBreve;
    if (raw[i] == U'й' || raw[i] == U'Й' || (apart && (raw[i] == U'и' || raw[i] == U'И'))) {
      word.push_back(U'й');
      i += apart ? 1 : 0;
    } else {
      word += Folded(raw.substr(i, 1));
    }
  }
  return word;
}

}  // namespace

void AddVariants(const WrittenWord& word, std::string_view stem, VariantUse use,
                 std::vector<std::string>* variants) {
  const auto add = [&](std::string token) {
    if (token.empty() || token == stem) return;
    if (std::ranges::find(*variants, token) == variants->end()) {
      variants->push_back(std::move(token));
    }
  };
  if (IsAscii(word.raw) || word.folded.empty()) return;
  std::u32string spelled = Respell(word.folded);
  if (std::ranges::any_of(spelled, IsArabic)) spelled = StemArabic(std::move(spelled));
  add(TokenOf(spelled));
  add(SnowballStem(IsCyrillic(word.folded.front()) ? WithShortI(word.raw) : spelled));
  if (use == VariantUse::kIndex) {
    add(UmlautToken(word.raw));
    constexpr size_t kLeastOfMarked = 2;
    const std::u32string_view unmarked = WithoutMarks(word.raw);
    if (unmarked.size() >= kLeastOfMarked && unmarked.size() < word.raw.size()) {
      add(TokenOf(Folded(unmarked)));
    }
  }
  constexpr std::u32string_view kHebrewPrefixes = U"הובכלמש";
  constexpr size_t kLeastOfPrefixed = 4;
  if (spelled.size() < kLeastOfPrefixed || !std::ranges::all_of(spelled, IsHebrewLetter)) return;
  const std::u32string_view prefixes = kHebrewPrefixes.substr(0, use == VariantUse::kIndex ? 7 : 1);
  if (prefixes.find(spelled.front()) == prefixes.npos) return;
  add(TokenOf(std::u32string_view(spelled).substr(1)));
}

std::string UmlautToken(std::u32string_view raw) {
  constexpr char32_t kDiaeresis = 0x308;
  std::u32string spelled;
  bool any = false;
  for (size_t i = 0; i < raw.size(); ++i) {
    std::u32string_view letters = SpelledUmlaut(raw[i]);
    if (i + 1 < raw.size() && raw[i + 1] == kDiaeresis) {
      constexpr std::u32string_view kLetters = U"aouAOU";
      constexpr std::u32string_view kUmlauts = U"äöüÄÖÜ";
      const size_t at = kLetters.find(raw[i]);
      if (at != kLetters.npos) letters = SpelledUmlaut(kUmlauts[at]);
      i += letters.empty() ? 0 : 1;
    }
    any |= !letters.empty();
    spelled.append(letters.empty() ? raw.substr(i, 1) : letters);
  }
  return any ? TokenOf(Respell(Folded(spelled))) : std::string();
}

std::vector<WordPiece> HangulPieces(std::u32string_view word) {
  std::vector<WordPiece> pieces;
  if (std::ranges::none_of(word, IsHangul)) return pieces;
  const auto add = [&](size_t begin, size_t end) {
    if (IsMark(word[begin])) return;
    pieces.push_back({TokenOf(word.substr(begin, end - begin)), begin, end});
  };
  for (size_t begin = 0, end; begin < word.size(); begin = end) {
    const bool hangul = IsHangul(word[begin]);
    end = begin + 1;
    while (end < word.size() && IsHangul(word[end]) == hangul) ++end;
    if (!hangul || end == begin + 1) {
      if (end - begin < word.size()) add(begin, end);
      continue;
    }
    for (size_t i = begin; i + 1 < end; ++i) add(i, i + 2);
  }
  return pieces;
}

NumberedWord DivideAtNumber(std::string_view word) {
  constexpr size_t kLeastLetters = 2;  // units: gb, ms
  constexpr size_t kLeastBefore = 3;   // python3, but not mp3
  constexpr ptrdiff_t kMostDigits = 4;
  const auto first = std::ranges::find_if(word, IsAsciiDigit<char>);
  const auto end = std::find_if_not(first, word.end(), IsAsciiDigit<char>);
  if (first == end || end - first > kMostDigits) return {};
  if (std::any_of(end, word.end(), IsAsciiDigit<char>)) return {};
  if (!std::ranges::all_of(word, IsAsciiAlnum<char>)) {
    return {};
  }
  const NumberedWord parts = {{word.begin(), first}, {first, end}, {end, word.end()}};
  const size_t least_before = parts.after.empty() ? kLeastBefore : kLeastLetters;
  if (parts.before.empty() && parts.after.empty()) return {};
  if (!parts.before.empty() && parts.before.size() < least_before) return {};
  if (!parts.after.empty() && parts.after.size() < kLeastLetters) return {};
  return parts;
}

}  // namespace recall
