#include "index/ngram/ngram_scanner.h"

#include <algorithm>
#include <array>

#include "index/text/ascii_segment.h"
#include "index/text/identifier_parts.h"
#include "index/text/stop_words.h"
#include "index/text/tokenizer.h"
#include "index/text/utf8.h"

namespace recall {
namespace {

// Character 4-grams of folded words.
//
//   text --segments--> ASCII: one word, or the parts of an identifier   AppendAsciiWord
//                      other: Unicode analysis into runs                AppendSegment
//     word --> <word> --> sliding window of 4 code points --> 32-bit hash
//
// Almost all text is ASCII, for which the folded word fits a small array, so this path allocates
// nothing and decodes no UTF-8. Text of scripts without spaces comes as overlapping pairs of
// characters (AppendTokens), each of which becomes a word of its own.
//
// The window contains the last three code points of 21 bits each in one u64; a hash needs two
// multiplications for each character. The brackets mark prefixes and suffixes: <col is evidence
// only for words that begin with col. A word of one character gives one n-gram of three code
// points.
//
// Invariant: the hash and the order never change, because the statistics of stores are keyed by
// them (docs/format/model.md, part `grams`). Both paths give the same n-grams for the same word.
//
// Cost: linear in the text. Source: McNamee and Mayfield, 2004.

constexpr size_t kNgramCharacters = 4;

// Hashes four code points of 21 bits: three in `window`, the first in the lowest bits, and `last`.
// A shorter n-gram ends in zeros.
uint32_t HashNgram(uint64_t window, uint64_t last) {
  uint64_t hash = window * 0x9E3779B97F4A7C15;
  hash = ((hash ^ hash >> 32) + last) * 0xD6E8FEB86659FD93;
  return static_cast<uint32_t>(hash >> 32);
}

template <typename Character>
void AppendNgrams(const Character* at, size_t count, std::vector<uint32_t>* ngrams) {
  constexpr int kBits = 21;
  const auto get = [&](size_t i) { return i < count ? uint64_t{at[i]} : 0; };
  uint64_t window = get(0) | get(1) << kBits | get(2) << 2 * kBits;
  const size_t more = count < kNgramCharacters ? 1 : count - kNgramCharacters + 1;
  const size_t before = ngrams->size();
  ngrams->resize(before + more);
  uint32_t* out = ngrams->data() + before;
  for (size_t i = 0; i < more; ++i) {
    const uint64_t last = get(i + kNgramCharacters - 1);
    out[i] = HashNgram(window, last);
    window = window >> kBits | last << 2 * kBits;
  }
}

// A word of ASCII letters and digits, in any case.
void AppendAsciiWord(std::string_view word, std::vector<uint32_t>* ngrams) {
  const size_t size = std::min(word.size(), kMaxTokenBytes);
  std::array<uint8_t, kMaxTokenBytes + 2> marked;
  marked[0] = '<';
  for (size_t i = 0; i < size; ++i) marked[i + 1] = static_cast<uint8_t>(ToAsciiLower(word[i]));
  marked[size + 1] = '>';
  if (IsStopWord({reinterpret_cast<const char*>(marked.data() + 1), size})) return;
  AppendNgrams(marked.data(), size + 2, ngrams);
}

}  // namespace

void NgramScanner::AppendWord(std::string_view word, std::vector<uint32_t>* ngrams) {
  if (word.empty() || IsStopWord(word)) return;
  characters_.assign(1, U'<');
  for (size_t at = 0; at < word.size();) characters_.push_back(DecodeUtf8(word, &at));
  characters_.push_back(U'>');
  AppendNgrams(characters_.data(), characters_.size(), ngrams);
}

void NgramScanner::AppendSegment(std::string_view segment, std::vector<uint32_t>* ngrams) {
  analyzer_.Analyze(segment);
  for (const SegmentAnalyzer::Run& run : analyzer_.runs()) {
    word_.clear();
    if (run.kind == CharacterKind::kWord) {
      analyzer_.AppendSurface(run, &word_);
      AppendWord(word_, ngrams);
      continue;
    }
    analyzer_.AppendTokens(run, &word_);
    for (size_t begin = 0, end; begin < word_.size(); begin = end + 1) {
      end = std::min(word_.find(' ', begin), word_.size());
      AppendWord(std::string_view(word_).substr(begin, end - begin), ngrams);
    }
  }
}

void NgramScanner::Append(std::string_view text, std::vector<uint32_t>* ngrams) {
  for (size_t at = 0; at < text.size();) {
    const AsciiSegment ascii(text, at);
    const std::string_view segment = text.substr(at, ascii.end() - at);
    if (!ascii.IsAscii()) {
      const std::string_view whole = NextSegment(text, &at);
      if (!whole.empty()) AppendSegment(whole, ngrams);
      continue;
    }
    at = ascii.end();
    if (ascii.IsSeparator()) continue;
    if (ascii.IsOneWord()) {
      AppendAsciiWord(segment, ngrams);
    } else {
      ForEachAsciiPart(segment, [&](std::string_view part) { AppendAsciiWord(part, ngrams); });
    }
  }
}

}  // namespace recall
