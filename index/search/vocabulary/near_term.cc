#include "index/search/vocabulary/near_term.h"

#include "index/search/vocabulary/term_similarity.h"

namespace recall {

bool ComesBeforeTerm(std::string_view a, std::string_view b) {
  const size_t left = LetterCount(a), right = LetterCount(b);
  return left != right ? left < right : a < b;
}

bool IsNearer(const NearTerm& a, const NearTerm& b) {
  if (a.similarity != b.similarity) return a.similarity > b.similarity;
  return ComesBeforeTerm(a.term, b.term);
}

}  // namespace recall
