// Reciprocal rank fusion (Cormack, Clarke and Büttcher: Reciprocal rank fusion outperforms
// Condorcet and individual rank learning methods, SIGIR 2009).
//
// Problem. BM25 and cosines have different units and distributions, so their sum has no meaning.
//
// Idea. Ignore the scores and add 1 / (60 + rank) over the retrievers. The constant is that of the
// paper. With it, a chunk that both retrievers rank among their first 61 scores higher than the
// first chunk of one retriever that the other does not propose.
//
// Invariants. The score lies in [0, 1]: the sum is scaled so that a chunk that ranks first in both
// retrievers scores 1. The scores of the retrievers are copied for --explain, but not used.
//
// Drawback. The first ranks of a weak retriever count as much as those of a strong one, so this
// method ranks worse than the default on all measured collections (docs/RETRIEVAL.md, "Alternative
// fusion methods"). It is available because other programs use it.
//
// Cost: O(1) for one chunk, but all candidates must be ranked first.

#include "query/ask/ranking/reciprocal_rank.h"

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
  // ShareOf limits the score to 1, because 1/61 is rounded.
  scored.score = ShareOf(scored.parts.Sum() * kReciprocalCalibration, 1);
  return scored;
}

}  // namespace recall
