#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace recall {

// Compares texts with one text, word by word. Case, punctuation, diacritics and white space do not
// matter. Not thread-safe.
class TextLikeness final {
 public:
  explicit TextLikeness(std::string_view text);

  // The share of the words of both texts that they have in common in the same order, from 0 to 1: 1
  // if all words are the same, and there is one; 1 - 1/n if one of n words was replaced. Symmetric.
  double To(std::string_view other);

 private:
  using Words = std::vector<uint32_t>;
  Words NumbersOf(std::string_view text);

  std::unordered_map<std::string, uint32_t> numbers_;  // of words
  Words words_;
  // Bit i of the words at `number`: words_[i] is this word. For the first words of the text.
  std::unordered_map<uint32_t, std::vector<uint64_t>> places_;
};

}  // namespace recall
