#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "query/ask/retrieval/candidate_pool.h"
#include "query/ask/retrieval/cued_ranking.h"
#include "query/ask/retrieval/parts_ranking.h"
#include "query/ask/retrieval/reranked_window.h"
#include "query/ask/retrieval/retriever_hits.h"
#include "query/ask/rows/views.h"

namespace recall {

// The ranking of one query before stages and minimum score: the values that the steps of a search
// computed, and the order that follows from them. Immutable; all members are pure functions of
// these values.
struct FusedRanking {
  const Snapshot* snapshot = nullptr;
  std::unique_ptr<const RetrievalPlan> plan;
  std::vector<WordExpansion> expansions;  // of words of the query that no chunk contains
  RetrieverHits hits;
  CandidatePool pool;
  std::optional<RerankedWindow> window;         // set in a hybrid search with default fusion
  std::optional<ReciprocalRanking> reciprocal;  // set with reciprocal rank fusion
  std::optional<PartsRanking> parts;            // set with fusion by parts, and grouped
  std::optional<CuedRanking> cued;              // set if cues change the ranking
  std::unique_ptr<RowReader> rows;              // a cache of the rows that the steps have read
  std::vector<StageTiming> timings;             // of fusion, reranking and cues

  // The first `count` places or more, in the order of ComesBefore: more if the last of them ties
  // with the next, fewer only if the ranking is shorter.
  Result<std::vector<ScoredChunk>> Best(size_t count) const;
  // All places with at least this score, which is above 0, in the same order.
  Result<std::vector<ScoredChunk>> DownTo(double least) const;
  // All chunks of the ranking, and their number. They do not depend on any page.
  Result<Bitmap> Members() const;
  // Whether the chunk is one of them. Builds no set.
  Result<bool> IsMember(uint32_t chunk) const;
  int64_t member_count() const;
  // The factor of scores: score = sum of the parts of a chunk * calibration, at most 1.
  double calibration() const;
  // Returns: an upper bound of the score of a chunk that no retriever proposes.
  ScoredChunk BestUnproposed() const;
  // Best and DownTo without cues.
  Result<std::vector<ScoredChunk>> BestBeforeCues(size_t count) const;
  Result<std::vector<ScoredChunk>> DownToBeforeCues(double least) const;
};

// Runs all steps up to reranking. `allowed`: the live chunks that satisfy the filter; null without
// a filter. All arguments must outlive the result. `made` as in MakeRetrievalPlan. Errors: those of
// the steps.
Result<FusedRanking> MakeFusedRanking(const Snapshot& snapshot, const QueryDependencies& deps,
                                      const SearchRequest& request, const Bitmap* allowed,
                                      const SynthesizedQuery* made = nullptr);

// The first `count` places of a complete ranking, and those that tie with the last of them.
std::vector<ScoredChunk> FirstOf(const std::vector<ScoredChunk>& ranking, size_t count);

}  // namespace recall
