#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "index/search/snapshot/texts_and_facts.h"
#include "query/ask/ranking/fusion.h"
#include "query/ask/retrieval/retriever_hits.h"

namespace recall {

// BM25's share of the lexical weight. The other half belongs to the character n-grams, which only
// reranking scores.
inline constexpr double kLexicalShare = 0.5;

// The number of lexical hits in the initial pool. Most queries need no deepening.
inline constexpr size_t kFirstDepth = 300;

// The initial candidate pool of a query, and the scale of its scores.
struct CandidatePool {
  std::vector<RetrieverHit> lexical;  // the best kFirstDepth lexical hits, best first
  std::vector<Candidate> candidates;  // `lexical` and all semantic hits, by chunk rowid
  FusionScale scale;                  // normalises the scores of all candidates of the query
  double semantic_confidence = 1;     // the factor of the semantic weight, 0.05 to 1
  int64_t proposed = 0;               // number of chunks that at least one retriever proposes
};

// Returns: the highest first-stage sum of a chunk that is not in the pool, an upper bound; 0 if the
// pool contains all candidates.
double MostOutside(const RetrieverHits& hits, const CandidatePool& pool);

// Builds the initial pool of `hits`. Pure: the same arguments give the same pool.
Result<CandidatePool> MakeCandidatePool(const RetrievalPlan& plan, const RetrieverHits& hits);

// Scores the given lexical hits and all semantic hits by both retrievers. `lexical` may be in any
// order. Returns: the union, by chunk rowid.
Result<std::vector<Candidate>> ScoreByBoth(const RetrievalPlan& plan, const RetrieverHits& hits,
                                           std::vector<RetrieverHit> lexical);

// The first-stage ranking, in the order of ComesBefore: at least its first `count` places, and more
// if the last of them ties with the next. Fewer only if the ranking is shorter. Exact: the places
// are those of the whole ranking.
Result<std::vector<ScoredChunk>> RankFirstStage(const RetrievalPlan& plan,
                                                const RetrieverHits& hits,
                                                const CandidatePool& pool, size_t count);

// The first-stage ranking down to the score `least`, which is above 0: exactly the places with at
// least this score.
Result<std::vector<ScoredChunk>> RankFirstStageDownTo(const RetrievalPlan& plan,
                                                      const RetrieverHits& hits,
                                                      const CandidatePool& pool, double least);

// Returns: the highest fused score of a chunk that has the BM25 `lexical` and that the semantic
// retriever does not propose.
double MostUnproposed(const RetrieverHits& hits, const CandidatePool& pool, double lexical);

// The whole ranking by reciprocal rank fusion, and the ranks that it is computed from.
struct ReciprocalRanking {
  std::vector<ScoredChunk> ranking;           // in the order of ComesBefore
  std::vector<RetrieverHit> lexical_ranking;  // all matches, best first
  std::vector<uint32_t> semantic_ranks;       // from 1; parallel to RetrieverHits::semantic
};
// With plan.leg_depth the ranking has one chunk of each document among the first ones: the best one
// of the lexical retriever, else of the semantic one. Requires: then `texts` is set.
Result<ReciprocalRanking> RankReciprocally(const RetrievalPlan& plan, const RetrieverHits& hits,
                                           const TextsAndFacts* texts = nullptr);

// Returns: the rank of `hit`, from 1, in a complete ranking in the order of IsBetter.
int64_t RankIn(const std::vector<RetrieverHit>& ranking, const RetrieverHit& hit);
// Returns: for each hit its rank among all of them, from 1, in the order of IsBetter.
std::vector<uint32_t> RanksOf(const std::vector<RetrieverHit>& hits);

}  // namespace recall
