#include "index/search/lexical/bm25.h"

#include <algorithm>

#include "index/base/math/natural_log.h"

namespace recall {

// The inverse document frequency of BM25, in the variant that is never negative:
//
//   idf = ln(1 + (N - df + 0.5) / (df + 0.5))
//
// The classic form ln((N - df + 0.5) / (df + 0.5)) of Robertson and Sparck Jones is negative for a
// term that more than half of the chunks contain: such a term would lower the score of its matches.
// Adding 1 (as Lucene does) keeps the weight positive, so score upper bounds can simply be added,
// and a chunk that matches more clauses never scores less for it.
//
// N is the number of live chunks and df the number of live chunks that match the clause. Both come
// from counters and posting lists that may contradict each other in a damaged store; N is raised to
// df, so the argument of the logarithm is at least 1.
//
// NaturalLog gives the same bits on every CPU and C library. Scores decide an order, and a
// difference in the last bit could exchange two results.

double InverseDocumentFrequency(uint64_t chunks, uint64_t matches) {
  const auto n = static_cast<double>(std::max(chunks, matches));
  const auto df = static_cast<double>(matches);
  return NaturalLog(1 + (n - df + 0.5) / (df + 0.5));
}

}  // namespace recall
