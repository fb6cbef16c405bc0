#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "index/base/text/tokenizer.h"

namespace recall {

// The number of characters of a UTF-8 text.
size_t LetterCount(std::string_view text);

// Whether a term of the vocabulary may stand for a word that is not in it: at least three letters
// of a script with spaces, no digits, and not a function word.
bool IsExpansionTerm(std::string_view term);

// The distinct trigrams of a term, which is put between two marks, ascending. A trigram is three
// code points of 21 bits. A term of n letters has at most n.
std::vector<uint64_t> TermTrigrams(std::string_view term);
// The same, in place of the contents of *trigrams.
void FindTermTrigrams(std::string_view term, std::vector<uint64_t>* trigrams);

// Compares the terms of a vocabulary with one word that is not in it. A word of fewer than five
// letters is similar to nothing: one letter more or less makes too many other words of it.
// Immutable, therefore thread-safe.
class TermSimilarity final {
 public:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view term) const { return std::hash<std::string_view>()(term); }
  };
  using Terms = std::unordered_set<std::string, Hash, std::equal_to<>>;

  // `word`: folded, not stemmed; `stem`: as the index would contain it. The tokenizer is not kept.
  TermSimilarity(std::string_view word, std::string_view stem, Tokenizer& tokenizer);

  // Returns the similarity, in (0, 1], of an IsExpansionTerm; nothing if the term is not similar.
  // The greatest of those that apply:
  //   0.9            the term is the stem of a word that one typing error makes of this one
  //   2 c / (q + t)  if it is at least 1/2: the Dice coefficient of the trigrams of both stems,
  //   with
  //                  c common ones, and with q and t letters
  //   2 s / (q + t)  if one stem is part of the other one: the shorter has s >= 5 letters
  std::optional<double> Of(std::string_view term) const;
  // An upper bound of that, for terms that are not one edit away, with this number of letters and
  // of common trigrams; 0 if such a term is not similar.
  double UpperBound(size_t letters, size_t common) const;

  const std::vector<uint64_t>& trigrams() const { return trigrams_; }
  // The stems of the words that one typing error makes of this one.
  const Terms& one_edit() const { return one_edit_; }

 private:
  double Dice(size_t letters, size_t common) const;
  double Containment(size_t letters, size_t common) const;
  bool IsOneEdit(std::string_view term) const;
  size_t MostCommonTrigrams(std::string_view term) const;

  static constexpr size_t kFilterBits = 1024;

  std::string stem_;
  size_t letters_ = 0;  // of the stem
  std::vector<uint64_t> trigrams_;
  std::array<uint64_t, kFilterBits / 64> filter_{};  // a bit for each trigram, by its hash
  Terms one_edit_;
  size_t shortest_ = 0;  // of these, in bytes
  size_t longest_ = 0;
};

}  // namespace recall
