#include "index/gram/gram_scanner.h"

#include <algorithm>
#include <array>

#include "index/lexical/stop_words.h"
#include "index/text/tokenizer.h"
#include "index/text/utf8.h"

namespace recall {
namespace {

constexpr size_t kGramCharacters = 4;

constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Four code points of 21 bits; a shorter gram ends in zeros.
uint32_t HashGram(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  uint64_t hash = (a | b << 21 | c << 42) * 0x9E3779B97F4A7C15;
  hash = ((hash ^ hash >> 32) + d) * 0xD6E8FEB86659FD93;
  return static_cast<uint32_t>(hash >> 32);
}

template <typename Character>
void AppendGrams(const Character* at, size_t count, std::vector<uint32_t>* grams) {
  if (count <= kGramCharacters) {
    const auto get = [&](size_t i) { return i < count ? uint64_t{at[i]} : 0; };
    grams->push_back(HashGram(get(0), get(1), get(2), get(3)));
    return;
  }
  for (size_t i = 0; i + kGramCharacters <= count; ++i) {
    grams->push_back(HashGram(at[i], at[i + 1], at[i + 2], at[i + 3]));
  }
}

// Those of which IsAsciiSegmentByte is true, looked up.
constexpr std::array<bool, 256> kSegmentBytes = [] {
  std::array<bool, 256> bytes{};
  for (size_t byte = 0; byte < 0x80; ++byte) {
    const char c = static_cast<char>(byte);
    bytes[byte] = IsLower(c) || IsUpper(c) || IsDigit(c) || c == '_';
  }
  return bytes;
}();

// A word as most are: ASCII, with capitals at most in front, so that folding is lower case.
bool IsPlainWord(std::string_view segment) {
  return segment.size() <= kMaxTokenBytes && !IsUpper(segment.back()) &&
         std::all_of(segment.begin() + 1, segment.end(),
                     [](char c) { return IsLower(c) || IsDigit(c); }) &&
         (IsLower(segment[0]) || IsUpper(segment[0]) || IsDigit(segment[0]));
}

}  // namespace

void GramScanner::AppendWord(std::string_view word, std::vector<uint32_t>* grams) {
  if (word.empty() || IsStopWord(word)) return;
  characters_.assign(1, U'<');
  for (size_t at = 0; at < word.size();) characters_.push_back(DecodeUtf8(word, &at));
  characters_.push_back(U'>');
  AppendGrams(characters_.data(), characters_.size(), grams);
}

void GramScanner::AppendSegment(std::string_view segment, std::vector<uint32_t>* grams) {
  analyzer_.Analyze(segment);
  for (const SegmentAnalyzer::Run& run : analyzer_.runs()) {
    word_.clear();
    if (run.kind == CharacterKind::kWord) {
      analyzer_.AppendSurface(run, &word_);
      AppendWord(word_, grams);
      continue;
    }
    analyzer_.AppendTokens(run, &word_);
    for (size_t begin = 0, end; begin < word_.size(); begin = end + 1) {
      end = std::min(word_.find(' ', begin), word_.size());
      AppendWord(std::string_view(word_).substr(begin, end - begin), grams);
    }
  }
}

void GramScanner::Append(std::string_view text, std::vector<uint32_t>* grams) {
  size_t at = 0;
  while (at < text.size()) {
    size_t end = at;
    while (end < text.size() && kSegmentBytes[static_cast<uint8_t>(text[end])]) ++end;
    const bool ends = end == text.size() || static_cast<uint8_t>(text[end]) < 0x80;
    const std::string_view segment = text.substr(at, end - at);
    if (!ends) {
      const std::string_view whole = NextSegment(text, &at);
      if (!whole.empty()) AppendSegment(whole, grams);
    } else if (segment.empty()) {
      ++at;
    } else {
      at = end;
      if (!IsPlainWord(segment)) {
        AppendSegment(segment, grams);
        continue;
      }
      uint8_t word[kMaxTokenBytes + 2];
      word[0] = '<';
      std::ranges::copy(segment, word + 1);
      if (IsUpper(segment[0])) word[1] = static_cast<uint8_t>(word[1] | 0x20);
      word[segment.size() + 1] = '>';
      const auto* const letters = reinterpret_cast<const char*>(word + 1);
      if (IsStopWord({letters, segment.size()})) continue;
      AppendGrams(word, segment.size() + 2, grams);
    }
  }
}

}  // namespace recall
