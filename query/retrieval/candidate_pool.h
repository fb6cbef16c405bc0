#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "query/ranking/fusion.h"
#include "query/retrieval/retriever_hits.h"

namespace recall {

// The share of the lexical weight that BM25 has; the other half is that of the n-grams, which the
// retrievers do not know yet.
inline constexpr double kLexicalShare = 0.5;

// The candidates that set the scale of a question, and that scale.
struct CandidatePool {
  std::vector<RetrieverHit> lexical;  // the best 200 of the lexical retriever, best first
  std::vector<Candidate> candidates;  // these and all of the semantic retriever's, by chunk rowid
  FusionScale scale;                  // of all candidates of the question
  double semantic_confidence = 1;     // by which the semantic weight is multiplied
  int64_t proposed = 0;               // chunks that any retriever proposes
};

// Plan and hits must outlive the result.
Result<CandidatePool> MakeCandidatePool(const RetrievalPlan& plan, const RetrieverHits& hits);

// These hits of the lexical retriever and all of the semantic retriever's, each with the scores of
// both, by chunk rowid. `lexical` in any order.
Result<std::vector<Candidate>> ScoreByBoth(const RetrievalPlan& plan, const RetrieverHits& hits,
                                           std::vector<RetrieverHit> lexical);

// The first-stage ranking: at least its first `count` places, exactly, and more where the last of
// them ties with the next. By ComesBefore. Fewer only when the ranking has no more.
Result<std::vector<ScoredChunk>> RankFirstStage(const RetrievalPlan& plan,
                                                const RetrieverHits& hits,
                                                const CandidatePool& pool, size_t count);

// What a chunk scores that has this BM25 and that the semantic retriever does not propose, at most.
double MostUnproposed(const RetrieverHits& hits, const CandidatePool& pool, double lexical);

// The whole ranking by reciprocal ranks, with the ranks it is made of.
struct ReciprocalRanking {
  std::vector<ScoredChunk> ranking;           // by ComesBefore
  std::vector<RetrieverHit> lexical_ranking;  // all matches, best first
  std::vector<uint32_t> semantic_ranks;       // from 1, beside RetrieverHits::semantic
};
Result<ReciprocalRanking> RankReciprocally(const RetrievalPlan& plan, const RetrieverHits& hits);

// The rank of a hit, from 1, in a whole ranking in the order of IsBetter.
int64_t RankIn(const std::vector<RetrieverHit>& ranking, const RetrieverHit& hit);
// The rank of each hit among all of them, from 1.
std::vector<uint32_t> RanksOf(const std::vector<RetrieverHit>& hits);

}  // namespace recall
