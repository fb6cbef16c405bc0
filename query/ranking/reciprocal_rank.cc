// Reciprocal rank fusion (Cormack, Clarke and Büttcher: Reciprocal rank fusion outperforms
// Condorcet and individual rank learning methods, SIGIR 2009).
//
// Problem. BM25 and cosines have different units and distributions, so their sum has no meaning.
//
// Idea. Forget the scores and add 1 / (60 + rank) over the retrievers. The constant is that of the
// paper: it keeps the first ranks of one retriever from outweighing agreement of both.
//
// Invariants. The score lies in [0, 1]: the sum is scaled so that a chunk that is first in both
// retrievers scores 1. What the retrievers measured plays no part; it is kept for explain.
//
// The price: a weak retriever's first ranks count as much as a strong one's, so this ranks worse
// than the default on all our collections (docs/RETRIEVAL.md, "Fusion"). It is offered because
// other programs use it.
//
// Cost: O(1) for one chunk, but every candidate must be ranked before.

#include "query/ranking/reciprocal_rank.h"

namespace recall {
namespace {

double ReciprocalRank(size_t rank) {
  return rank == 0 ? 0 : 1 / (kRankOffset + static_cast<double>(rank));
}

}  // namespace

ScoredChunk FuseReciprocalRanks(const Candidate& candidate, size_t lexical_rank,
                                size_t semantic_rank) {
  ScoredChunk scored;
  scored.candidate = candidate;
  scored.parts.lexical = ReciprocalRank(lexical_rank);
  scored.parts.semantic = ReciprocalRank(semantic_rank);
  // At most 1: 1/61 + 1/61 is rounded.
  scored.score = ShareOf(scored.parts.Sum() * kReciprocalCalibration, 1);
  return scored;
}

}  // namespace recall
