#pragma once

#include <string>

namespace recall {

// A term of the vocabulary that is similar to a word.
struct NearTerm {
  std::string term;       // as the full-text index contains it
  double similarity = 0;  // in (0, 1]; TermSimilarity
  bool one_edit = false;  // it is the stem of a word that one typing error separates from the word
};

// The order of similar terms: the most similar first, then shorter ones, then in byte order.
bool IsNearer(const NearTerm& a, const NearTerm& b);

}  // namespace recall
