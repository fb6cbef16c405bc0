// How much of two texts is the same, word by word.
//
// Problem. Whether a note repeats another one cannot be told by vectors, since unrelated texts of
// one subject may have the same. A terse note has a dozen words, so one that was changed leaves
// hardly a run of four.
//
// Idea. The longest common subsequence of words, as a share of both texts:
//
//   likeness(a, b) = 2 |lcs(a, b)| / (|a| + |b|)
//
// It is computed with bits (Hyyro, "Bit-parallel LCS-length computation revisited", 2004): a bit
// for each word of one text is 0 once a longer common subsequence ends there, and a word of the
// other text changes all bits by an addition.
//
// Only the first kMostWords words are aligned. What both have in common beyond is counted without
// its order, which is never less.
//
// Cost: O(n m / 64) for n and m words, at most 4096 each; memory of 64 bits for each distinct word
// and each 64 words.

#include "query/memory/notes/text_likeness.h"

#include <algorithm>
#include <bit>
#include <span>

#include "index/base/text/folded_words.h"

namespace recall {
namespace {

constexpr size_t kMostWords = 4096;
constexpr size_t kBits = 64;

// The number of elements that two lists have in common, with repetitions.
size_t CountCommon(std::vector<uint32_t> a, std::vector<uint32_t> b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  size_t common = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      ++common, ++i, ++j;
    } else {
      a[i] < b[j] ? ++i : ++j;
    }
  }
  return common;
}

std::vector<uint32_t> From(const std::vector<uint32_t>& words, size_t begin) {
  if (begin >= words.size()) return {};
  return {words.begin() + static_cast<ptrdiff_t>(begin), words.end()};
}

}  // namespace

TextLikeness::TextLikeness(std::string_view text) : words_(NumbersOf(text)) {
  const size_t aligned = std::min(words_.size(), kMostWords);
  for (size_t i = 0; i < aligned; ++i) {
    std::vector<uint64_t>& bits = places_[words_[i]];
    bits.resize((aligned + kBits - 1) / kBits);
    bits[i / kBits] |= uint64_t{1} << i % kBits;
  }
}

double TextLikeness::To(std::string_view other) {
  const Words words = NumbersOf(other);
  if (words.empty() || words_.empty()) return 0;
  const size_t aligned = std::min(words_.size(), kMostWords);
  std::vector<uint64_t> open((aligned + kBits - 1) / kBits, ~uint64_t{0});
  for (const uint32_t word : std::span(words).first(std::min(words.size(), kMostWords))) {
    const auto places = places_.find(word);
    if (places == places_.end()) continue;
    uint64_t carry = 0;
    for (size_t i = 0; i < open.size(); ++i) {
      const uint64_t matched = open[i] & places->second[i];
      const uint64_t sum = open[i] + matched;
      const uint64_t carried = sum + carry;
      carry = static_cast<uint64_t>(sum < open[i]) | static_cast<uint64_t>(carried < sum);
      open[i] = carried | (open[i] & ~matched);
    }
  }
  size_t common = 0;
  for (size_t i = 0; i < aligned; ++i) common += ~open[i / kBits] >> i % kBits & 1;
  common += CountCommon(From(words_, kMostWords), From(words, kMostWords));
  return 2 * static_cast<double>(common) / static_cast<double>(words.size() + words_.size());
}

TextLikeness::Words TextLikeness::NumbersOf(std::string_view text) {
  Words words;
  FoldedWordReader reader;
  reader.Read(text);
  while (reader.Next()) {
    const auto next = static_cast<uint32_t>(numbers_.size());
    words.push_back(numbers_.try_emplace(std::string(reader.word()), next).first->second);
  }
  return words;
}

}  // namespace recall
