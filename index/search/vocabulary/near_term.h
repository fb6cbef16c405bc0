#pragma once

#include <string>
#include <string_view>

namespace recall {

// A term of the vocabulary that is similar to a word.
struct NearTerm {
  std::string term;       // as the full-text index contains it
  double similarity = 0;  // in (0, 1]; TermSimilarity
  bool one_edit = false;  // it is the stem of a word that one typing error separates from the word
};

// The order of terms: by their number of letters, then by their bytes.
bool ComesBeforeTerm(std::string_view a, std::string_view b);

// The order of similar terms: by similarity, descending, then as ComesBeforeTerm.
bool IsNearer(const NearTerm& a, const NearTerm& b);

}  // namespace recall
