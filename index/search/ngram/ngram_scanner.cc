#include "index/search/ngram/ngram_scanner.h"

#include <algorithm>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

// Character 4-grams of folded words.
//
//   text --WordScanner--> <word> --> sliding window of 4 code points --> 32-bit hash
//
// The window contains the last three code points of 21 bits each in one u64; a hash needs two
// multiplications for each character. The brackets mark prefixes and suffixes: <col is evidence
// only for words that begin with col. A word of one character gives one n-gram of three code
// points. A word of ASCII characters is read without decoding.
//
// Invariant: the hash and the order never change, because the statistics of stores are keyed by
// them (docs/format/model.md, part `grams`).
//
// Cost: linear in the text. Source: McNamee and Mayfield, 2004.

constexpr size_t kNgramCharacters = 4;

// The number of n-grams of a word that has `characters` with its brackets.
size_t NgramsOf(size_t characters) {
  return characters < kNgramCharacters ? 1 : characters - kNgramCharacters + 1;
}

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
  const size_t more = NgramsOf(count);
  const size_t before = ngrams->size();
  ngrams->resize(before + more);
  uint32_t* out = ngrams->data() + before;
  for (size_t i = 0; i < more; ++i) {
    const uint64_t last = get(i + kNgramCharacters - 1);
    out[i] = HashNgram(window, last);
    window = window >> kBits | last << 2 * kBits;
  }
}

bool IsAscii(std::string_view text) {
  uint8_t all = 0;
  for (const char byte : text) all |= static_cast<uint8_t>(byte);
  return all < 0x80;
}

}  // namespace

void AppendWordNgrams(std::string_view marked, std::u32string* scratch,
                      std::vector<uint32_t>* ngrams) {
  if (IsAscii(marked)) {
    AppendNgrams(reinterpret_cast<const uint8_t*>(marked.data()), marked.size(), ngrams);
    return;
  }
  scratch->clear();
  for (size_t at = 0; at < marked.size();) scratch->push_back(DecodeUtf8(marked, &at));
  AppendNgrams(scratch->data(), scratch->size(), ngrams);
}

uint32_t CountWordNgrams(std::string_view marked) {
  size_t characters = marked.size();
  if (!IsAscii(marked)) {
    characters = 0;
    for (size_t at = 0; at < marked.size(); ++characters) DecodeUtf8(marked, &at);
  }
  return static_cast<uint32_t>(NgramsOf(characters));
}

void NgramScanner::Append(std::string_view text, std::vector<uint32_t>* ngrams) {
  words_.ForEach(text,
                 [&](std::string_view marked) { AppendWordNgrams(marked, &characters_, ngrams); });
}

}  // namespace recall
