#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "index/base/text/zeroed_array.h"

namespace recall {

// Counts the terms of a text, and returns them in ascending order without sorting them: one bit
// marks each term, and one bit of a second level each word of marks that is not zero.
//
// Cost: adding a term changes a count and two bits; reading visits one word for 4,096 terms of the
// model, and the marked ones. Memory: 4 bytes a term, of which the used pages count.
class TermBag final {
 public:
  // `terms`: every added term is below.
  explicit TermBag(size_t terms)
      : counts_(MakeZeroedArray<uint32_t>(terms)),
        marks_(MakeZeroedArray<uint64_t>(WordsOf(terms))),
        marked_words_(WordsOf(WordsOf(terms))),
        words_(MakeZeroedArray<uint64_t>(marked_words_)) {}

  void Add(uint32_t term) {
    ++counts_[term];
    marks_[term / kWordBits] |= uint64_t{1} << term % kWordBits;
    words_[term / kWordBits / kWordBits] |= uint64_t{1} << term / kWordBits % kWordBits;
  }

  // Calls visit(term, count) for each term, ascending, and removes all.
  template <typename Visit>
  void Take(const Visit& visit) {
    for (size_t i = 0; i < marked_words_; ++i) {
      for (uint64_t words = words_[i]; words != 0; words &= words - 1) {
        const size_t word = i * kWordBits + static_cast<size_t>(std::countr_zero(words));
        for (uint64_t marks = marks_[word]; marks != 0; marks &= marks - 1) {
          const size_t term = word * kWordBits + static_cast<size_t>(std::countr_zero(marks));
          visit(static_cast<uint32_t>(term), counts_[term]);
          counts_[term] = 0;
        }
        marks_[word] = 0;
      }
      words_[i] = 0;
    }
  }

 private:
  static constexpr size_t kWordBits = 64;
  static constexpr size_t WordsOf(size_t bits) { return (bits + kWordBits - 1) / kWordBits; }

  ZeroedArray<uint32_t> counts_;  // by term
  ZeroedArray<uint64_t> marks_;   // bit: a term with a count
  size_t marked_words_;
  ZeroedArray<uint64_t> words_;  // bit: a word of marks_ that is not zero
};

}  // namespace recall
