// Words as they are compared with each other, where stems would be too coarse.
//
// Segments are those of the tokenizer (segment_analyzer.h), folded with the same rules (fold.h),
// but they are not divided at `_` or at a change of case. A segment of ASCII characters, which most
// are, is folded byte by byte. Any other one is decoded and folded as a whole, and may give several
// words, because folding may produce separators.
//
// Cost: about 2 nanoseconds a byte of ASCII text.

#include "index/base/text/folded_words.h"

#include <array>
#include <cstdint>

#include "index/base/text/fold.h"
#include "index/base/text/segment_analyzer.h"
#include "index/base/text/utf8.h"

namespace recall {
namespace {

constexpr char kSeparates = 0;
constexpr char kBeyondAscii = 1;

// By byte: the folded character of a word, or one of the two above.
constexpr std::array<char, 256> kFolded = [] {
  std::array<char, 256> folded{};
  for (size_t byte = 0; byte < folded.size(); ++byte) {
    const char c = static_cast<char>(byte);
    const bool lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
    if (lower || digit || c == '_') folded[byte] = c;
    if (c >= 'A' && c <= 'Z') folded[byte] = static_cast<char>(c + ('a' - 'A'));
    if (byte >= 0x80) folded[byte] = kBeyondAscii;
  }
  return folded;
}();

char FoldByte(char byte) { return kFolded[static_cast<uint8_t>(byte)]; }

CharacterKind KindOf(char32_t folded) {
  return folded == U'_' ? CharacterKind::kWord : KindAfterFolding(folded);
}

}  // namespace

void FoldedWordReader::Read(std::string_view text) {
  text_ = text;
  at_ = 0;
  folded_.clear();
  folded_at_ = 0;
}

bool FoldedWordReader::Next() {
  while (!NextFolded()) {
    while (at_ < text_.size() && FoldByte(text_[at_]) == kSeparates) ++at_;
    if (at_ == text_.size()) return false;
    size_t end = at_;
    word_.clear();
    for (; end < text_.size(); ++end) {
      const char folded = FoldByte(text_[end]);
      if (folded == kSeparates || folded == kBeyondAscii) break;
      word_.push_back(folded);
    }
    if (end == text_.size() || FoldByte(text_[end]) == kSeparates) {
      at_ = end;
      return true;
    }
    const std::string_view segment = NextSegment(text_, &at_);
    std::u32string raw;
    for (size_t i = 0; i < segment.size();) raw.push_back(DecodeUtf8(segment, &i));
    folded_.clear();
    folded_at_ = 0;
    FoldAppend(raw, &folded_);
  }
  return true;
}

// Takes the next word of the folded segment. Returns: false at its end.
bool FoldedWordReader::NextFolded() {
  word_.clear();
  CharacterKind kind = CharacterKind::kSeparator;
  for (; folded_at_ < folded_.size(); ++folded_at_) {
    const char32_t c = folded_[folded_at_];
    const CharacterKind next = KindOf(c);
    if (kind == CharacterKind::kSeparator) {
      // A mark without a letter before it is no word.
      if (next == CharacterKind::kSeparator || IsMark(c)) continue;
      kind = next;
    } else if (next != kind) {
      break;
    }
    AppendUtf8(c, &word_);
  }
  return !word_.empty();
}

}  // namespace recall
