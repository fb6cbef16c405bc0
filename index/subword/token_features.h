#pragma once

// The features from which the number of tokens of a text is estimated (token_estimate.h). They
// follow the rules by which byte-pair tokenizers of language models cut a text before they merge:
// runs of letters with the space before them, digits, punctuation, white space. The scanner is a
// template, so that the program that fits the costs (bench/token_estimate) counts exactly what the
// estimate adds up.
//
// Words are cut into parts where upper case follows lower case, and before the last capital of a
// run that lower case follows. A part's letters from the third on give a pair with the letter
// before, and a triple with the two before, case folded: rare ones are where merges end.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "index/base/text/utf8.h"

namespace recall {

// A feature is a number below kTokenFeatures: one of these, or one of a group of them.
enum TokenFeature : uint16_t {
  // A word: a run of Latin letters, by what precedes it.
  kWordAfterSpace,
  kWordAfterLine,
  kWordAfterPunctuation,
  kWordAfterUnderscore,
  kWordAfterWideSpace,
  kWordAfterOther,
  // Letters inside a word; kLetter5 for the fifth to seventh letter of a part, and so on.
  kCapital,
  kCamelCase,
  kEndOfCapitals,
  kCapitalPair,
  kFurtherCapitalPair,
  kLetter5,
  kLetter8,
  kLetter11,
  kLetter15,
  kAccentedLetter,
  kAdditionalLatinLetter,
  // Digits.
  kDigitsAfterSpace,
  kDigit,
  kThreeDigits,  // or the rest
  // White space with an end of line, by what precedes it, and the indentation that follows, by
  // what comes next.
  kLineAfterPunctuation,
  kLineAfterWord,
  kLineAfterOther,
  kSecondLine,
  kFurtherLine,
  kSpaceBeforeLine,
  kIndentOfWord,
  kIndentOfDigit,
  kIndentOfPunctuation,
  kIndentOfOther,
  kWideIndentOfWord,
  kWideIndentOfDigit,
  kWideIndentOfPunctuation,
  kWideIndentOfOther,
  kSixteenIndent,
  kTabOfIndent,
  // White space inside a line.
  kSpaceBeforeWord,
  kSpaceBeforeDigit,
  kSpaceBeforePunctuation,
  kSpaceBeforeOther,
  kWideSpaceBeforeWord,
  kWideSpaceBeforeDigit,
  kWideSpaceBeforePunctuation,
  kWideSpaceBeforeOther,
  kSixteenSpaces,
  kTab,
  kFurtherTab,
  // A run of ASCII punctuation, by what precedes it; its repeated characters.
  kPunctuationAfterSpace,
  kPunctuationAfterWord,
  kPunctuationAfterOther,
  kRepeatedOnce,
  kRepeatedTwice,  // or three times
  kRepeatedMore,
  // Other scripts: the beginning of a run, and each character.
  kFirstHan,
  kOtherHan,  // outside the blocks below
  kFirstHiragana,
  kHiragana,
  kFirstKatakana,
  kKatakana,
  kFirstHangul,
  kHangul,
  kFullWidth,
  kFirstGreek,
  kGreek,
  kFirstCyrillic,
  kCyrillic,
  kFirstHebrew,
  kHebrew,
  kFirstArabic,
  kArabic,
  kFirstDevanagari,
  kDevanagari,
  kFirstIndic,
  kIndic,
  kFirstThai,
  kThai,
  kFirstOtherScript,
  kOtherScript,
  // Other characters.
  kLatinSymbol,
  kGeneralPunctuation,
  kSymbol,
  kRepeatedSymbol,
  kEmoji,
  kOtherCharacter,
  kRepeatedOther,
  kControl,
  // Groups.
  kFirstPunctuation,                           // of a run: one feature per ASCII punctuation mark
  kLaterPunctuation = kFirstPunctuation + 32,  // that differs from the mark before it
  kLetterPairs = kLaterPunctuation + 32,       // 26 * first + second, case folded
  kHanBlocks = kLetterPairs + 26 * 26,         // 64 code points each, from U+4E00 on
  kLetterTriples = kHanBlocks + 328,           // hashed, case folded
  kTokenFeatures = kLetterTriples + 2048,
};

namespace token_features {

enum class Kind : uint8_t {
  kLower,
  kUpper,
  kDigit,
  kSpace,
  kTab,
  kLine,
  kPunctuation,
  kControl,
  kWide,  // not ASCII
};

inline constexpr std::array<Kind, 256> kKinds = [] {
  std::array<Kind, 256> kinds{};
  for (int byte = 0; byte < 256; ++byte) {
    Kind& kind = kinds[static_cast<size_t>(byte)];
    if (byte >= 0x80) {
      kind = Kind::kWide;
    } else if (byte >= 'a' && byte <= 'z') {
      kind = Kind::kLower;
    } else if (byte >= 'A' && byte <= 'Z') {
      kind = Kind::kUpper;
    } else if (byte >= '0' && byte <= '9') {
      kind = Kind::kDigit;
    } else if (byte == ' ') {
      kind = Kind::kSpace;
    } else if (byte == '\t') {
      kind = Kind::kTab;
    } else if (byte == '\n' || byte == '\r') {
      kind = Kind::kLine;
    } else if (byte < ' ' || byte == 0x7F) {
      kind = Kind::kControl;
    } else {
      kind = Kind::kPunctuation;
    }
  }
  return kinds;
}();

// The slot of three letters, 0 to 25 each, in the table of triples: the upper bits of a product
// (Fibonacci hashing).
constexpr uint16_t TripleIndex(int first, int second, int third) {
  const auto triple = static_cast<uint32_t>((first * 26 + second) * 26 + third);
  return static_cast<uint16_t>(triple * 2654435769U >> 21);
}

// The index of an ASCII punctuation mark, 0 to 31.
constexpr uint16_t PunctuationIndex(uint8_t mark) {
  if (mark < '0') return mark - '!';
  if (mark < 'A') return mark - ':' + 15;
  if (mark < 'a') return mark - '[' + 22;
  return mark - '{' + 28;
}

constexpr bool IsLatinLetter(uint32_t c) {
  return (c >= 0xC0 && c <= 0x24F && c != 0xD7 && c != 0xF7) || c == 0xAA || c == 0xB5 || c == 0xBA;
}
constexpr bool IsAdditionalLatin(uint32_t c) { return c >= 0x1E00 && c <= 0x1EFF; }

// A script other than Latin: its first and last character, and its features.
struct Script {
  uint32_t first;
  uint32_t last;
  TokenFeature start;
  TokenFeature character;
};
inline constexpr Script kScripts[] = {
    {0x370, 0x3FF, kFirstGreek, kGreek},
    {0x400, 0x52F, kFirstCyrillic, kCyrillic},
    {0x530, 0x58F, kFirstOtherScript, kOtherScript},
    {0x590, 0x5FF, kFirstHebrew, kHebrew},
    {0x600, 0x8FF, kFirstArabic, kArabic},
    {0x900, 0x97F, kFirstDevanagari, kDevanagari},
    {0x980, 0xDFF, kFirstIndic, kIndic},
    {0xE00, 0xE7F, kFirstThai, kThai},
    {0xE80, 0x10FF, kFirstOtherScript, kOtherScript},
    {0x1100, 0x11FF, kFirstHangul, kHangul},
    {0x1200, 0x1DFF, kFirstOtherScript, kOtherScript},
    {0x1F00, 0x1FFF, kFirstGreek, kGreek},
    {0x3000, 0x303F, kFullWidth, kFullWidth},
    {0x3040, 0x309F, kFirstHiragana, kHiragana},
    {0x30A0, 0x30FF, kFirstKatakana, kKatakana},
    {0x3100, 0x33FF, kFullWidth, kFullWidth},
    {0x3400, 0x4DFF, kFirstHan, kOtherHan},
    {0x4E00, 0x9FFF, kFirstHan, kHanBlocks},
    {0xA000, 0xABFF, kFirstOtherScript, kOtherScript},
    {0xAC00, 0xD7FF, kFirstHangul, kHangul},
    {0xF900, 0xFAFF, kFirstHan, kOtherHan},
    {0xFB50, 0xFDFF, kFirstArabic, kArabic},
    {0xFE70, 0xFEFE, kFirstArabic, kArabic},
    {0xFF00, 0xFFEF, kFullWidth, kFullWidth},
    {0x10000, 0x1CFFF, kFirstOtherScript, kOtherScript},
    {0x20000, 0x3FFFF, kFirstHan, kOtherHan},
};

}  // namespace token_features

// Calls add(feature) or add(feature, times) for every feature of `text`, in order. Each byte is
// read a fixed number of times.
template <typename Add>
class TokenFeatureScanner final {
 public:
  TokenFeatureScanner(std::string_view text, Add add) : text_(text), add_(add) {}

  void Scan() {
    using token_features::Kind;
    while (at_ < text_.size()) {
      switch (KindAt(at_)) {
        case Kind::kLower:
        case Kind::kUpper:
          ScanWord();
          break;
        case Kind::kDigit:
          ScanDigits();
          break;
        case Kind::kSpace:
        case Kind::kTab:
        case Kind::kLine:
          ScanWhiteSpace();
          break;
        case Kind::kPunctuation:
          ScanPunctuation();
          break;
        case Kind::kControl:
          add_(kControl, 1);
          ++at_;
          before_ = Before::kOther;
          break;
        case Kind::kWide:
          ScanWide();
          break;
      }
    }
  }

 private:
  using Kind = token_features::Kind;
  // What precedes the current position.
  enum class Before { kLine, kSpace, kWideSpace, kWord, kPunctuation, kUnderscore, kOther };

  Kind KindAt(size_t at) const { return token_features::kKinds[ByteAt(at)]; }
  uint8_t ByteAt(size_t at) const { return static_cast<uint8_t>(text_[at]); }

  // The part of a word that pairs and lengths are counted in.
  struct Part {
    uint32_t letters = 0;
    int last = -1;  // its last letter, 0 to 25; -1 for none or an accented one
    int before_last = -1;
    bool last_upper = false;
    bool before_upper = false;  // the letter before the last
  };

  void ScanWord() {
    static constexpr TokenFeature kStarts[] = {
        kWordAfterLine,        kWordAfterSpace,      kWordAfterWideSpace, kWordAfterOther,
        kWordAfterPunctuation, kWordAfterUnderscore, kWordAfterOther};
    add_(kStarts[static_cast<size_t>(before_)], 1);
    before_ = Before::kWord;
    Part part;
    for (; at_ < text_.size(); ++at_) {
      const Kind kind = KindAt(at_);
      if (kind == Kind::kWide) {
        size_t next = at_;
        const uint32_t c = DecodeUtf8(text_, &next);
        const bool additional = token_features::IsAdditionalLatin(c);
        if (!additional && !token_features::IsLatinLetter(c)) return;
        add_(additional ? kAdditionalLatinLetter : kAccentedLetter, 1);
        at_ = next - 1;
        part = {.letters = part.letters + 1};
      } else if (kind == Kind::kLower || kind == Kind::kUpper) {
        AddLetter((ByteAt(at_) | 0x20) - 'a', kind == Kind::kUpper, part);
      } else {
        return;
      }
    }
  }

  void AddLetter(int letter, bool upper, Part& part) {
    if (part.letters == 0) {
      if (upper) add_(kCapital, 1);
    } else if (upper && !part.last_upper) {
      add_(kCamelCase, 1);
      part = {};
    } else if (!upper && part.last_upper && part.before_upper) {
      add_(kEndOfCapitals, 1);
      part = {.letters = 1, .last = part.last};
    }
    ++part.letters;
    if (part.letters >= 3 && part.last >= 0) {
      add_(static_cast<uint16_t>(kLetterPairs + 26 * part.last + letter), 1);
      if (part.before_last >= 0) {
        const uint16_t triple = token_features::TripleIndex(part.before_last, part.last, letter);
        add_(static_cast<uint16_t>(kLetterTriples + triple), 1);
      }
    }
    if (part.letters >= 2 && upper) {
      add_(part.letters >= 4 ? kFurtherCapitalPair : kCapitalPair, 1);
    }
    switch (part.letters) {
      case 5:
      case 6:
      case 7:
        add_(kLetter5, 1);
        break;
      case 8:
      case 9:
      case 10:
        add_(kLetter8, 1);
        break;
      case 11:
      case 12:
      case 13:
      case 14:
        add_(kLetter11, 1);
        break;
      default:
        if (part.letters >= 15) add_(kLetter15, 1);
    }
    part.before_last = part.last;
    part.last = letter;
    part.before_upper = part.last_upper;
    part.last_upper = upper;
  }

  void ScanDigits() {
    const size_t begin = at_;
    while (at_ < text_.size() && KindAt(at_) == Kind::kDigit) ++at_;
    const auto count = static_cast<uint32_t>(at_ - begin);
    if (before_ == Before::kSpace) add_(kDigitsAfterSpace, 1);
    add_(kDigit, count);
    add_(kThreeDigits, (count + 2) / 3);
    before_ = Before::kOther;
  }

  // 0 to 3: what follows white space.
  uint16_t NextClass() const {
    if (at_ == text_.size()) return 3;
    switch (KindAt(at_)) {
      case Kind::kLower:
      case Kind::kUpper:
        return 0;
      case Kind::kDigit:
        return 1;
      case Kind::kPunctuation:
        return 2;
      default:
        return 3;
    }
  }

  void ScanWhiteSpace() {
    uint32_t lines = 0, tabs = 0, spaces = 0, dropped = 0;  // since the last end of line
    for (; at_ < text_.size(); ++at_) {
      const Kind kind = KindAt(at_);
      if (kind == Kind::kLine) {
        lines += text_[at_] == '\n' ? 1 : 0;
        dropped += tabs + spaces;
        tabs = spaces = 0;
      } else if (kind == Kind::kSpace) {
        ++spaces;
      } else if (kind == Kind::kTab) {
        ++tabs;
      } else {
        break;
      }
    }
    const uint16_t next = NextClass();
    if (lines == 0) {
      SpacesInLine(spaces, tabs, next);
      return;
    }
    add_(before_ == Before::kPunctuation ? kLineAfterPunctuation
         : before_ == Before::kWord      ? kLineAfterWord
                                         : kLineAfterOther,
         1);
    if (lines > 1) add_(kSecondLine, 1);
    if (lines > 2) add_(kFurtherLine, lines - 2);
    if (dropped > 0) add_(kSpaceBeforeLine, 1);
    if (tabs > 0) add_(kTabOfIndent, tabs);
    if (spaces > 0)
      add_(static_cast<uint16_t>((spaces > 1 ? kWideIndentOfWord : kIndentOfWord) + next), 1);
    if (spaces > 16) add_(kSixteenIndent, spaces / 16);
    before_ = spaces + tabs == 0   ? Before::kLine
              : spaces + tabs == 1 ? Before::kSpace
                                   : Before::kWideSpace;
  }

  void SpacesInLine(uint32_t spaces, uint32_t tabs, uint16_t next) {
    before_ = spaces == 1 && tabs == 0 ? Before::kSpace : Before::kWideSpace;
    if (tabs > 0) {
      add_(kTab, 1);
      if (tabs > 1) add_(kFurtherTab, tabs - 1);
    } else if (spaces > 0) {
      add_(static_cast<uint16_t>((spaces > 1 ? kWideSpaceBeforeWord : kSpaceBeforeWord) + next), 1);
    }
    if (spaces > 16) add_(kSixteenSpaces, spaces / 16);
  }

  void ScanPunctuation() {
    using token_features::PunctuationIndex;
    add_(before_ == Before::kSpace  ? kPunctuationAfterSpace
         : before_ == Before::kWord ? kPunctuationAfterWord
                                    : kPunctuationAfterOther,
         1);
    uint8_t last = ByteAt(at_);
    add_(static_cast<uint16_t>(kFirstPunctuation + PunctuationIndex(last)), 1);
    uint32_t repeated = 0;
    for (++at_; at_ < text_.size() && KindAt(at_) == Kind::kPunctuation; ++at_) {
      const uint8_t mark = ByteAt(at_);
      if (mark == last) {
        ++repeated;
        add_(repeated == 1 ? kRepeatedOnce : repeated < 4 ? kRepeatedTwice : kRepeatedMore, 1);
      } else {
        repeated = 0;
        add_(static_cast<uint16_t>(kLaterPunctuation + PunctuationIndex(mark)), 1);
      }
      last = mark;
    }
    before_ = last == '_' ? Before::kUnderscore : Before::kPunctuation;
  }

  void ScanWide() {
    size_t next = at_;
    const uint32_t c = DecodeUtf8(text_, &next);
    if (token_features::IsLatinLetter(c) || token_features::IsAdditionalLatin(c)) {
      ScanWord();
      return;
    }
    const uint32_t previous = std::exchange(last_wide_, c);
    const bool follows = at_ == wide_end_;
    at_ = wide_end_ = next;
    before_ = Before::kOther;
    const auto* script = FindScript(c);
    if (script) {
      const bool goes_on =
          follows && FindScript(previous) && FindScript(previous)->start == script->start;
      if (!goes_on && script->start != script->character) add_(script->start, 1);
      const bool block = script->character == kHanBlocks;
      add_(static_cast<uint16_t>(script->character + (block ? (c - 0x4E00) / 64 : 0)), 1);
      return;
    }
    const bool repeats = follows && previous == c;
    if (c < 0xC0 || c == 0xD7 || c == 0xF7) {
      add_(kLatinSymbol, 1);
    } else if (c >= 0x2010 && c <= 0x2027) {
      add_(kGeneralPunctuation, 1);
    } else if (c >= 0x2000 && c <= 0x2BFF) {
      add_(repeats ? kRepeatedSymbol : kSymbol, 1);
    } else if (c >= 0x1F000) {
      add_(kEmoji, 1);
    } else {
      add_(repeats ? kRepeatedOther : kOtherCharacter, 1);
    }
  }

  static const token_features::Script* FindScript(uint32_t c) {
    const auto* found =
        std::ranges::lower_bound(token_features::kScripts, c, {}, &token_features::Script::last);
    return found != std::end(token_features::kScripts) && found->first <= c ? found : nullptr;
  }

  std::string_view text_;
  Add add_;
  size_t at_ = 0;
  Before before_ = Before::kLine;
  size_t wide_end_ = SIZE_MAX;  // the end of the last wide character
  uint32_t last_wide_ = 0;
};

template <typename Add>
void ScanTokenFeatures(std::string_view text, Add add) {
  TokenFeatureScanner<Add>(text, add).Scan();
}

}  // namespace recall
