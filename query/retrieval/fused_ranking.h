#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "query/retrieval/candidate_pool.h"
#include "query/retrieval/reranked_window.h"
#include "query/retrieval/retriever_hits.h"

namespace recall {

// The ranking of one question before stages and minimum score: the values that the steps of a
// search made, and the order that follows from them. Immutable; all members are pure functions of
// these values.
struct FusedRanking {
  const Snapshot* snapshot;
  std::unique_ptr<const RetrievalPlan> plan;
  RetrieverHits hits;
  CandidatePool pool;
  std::optional<RerankedWindow> window;         // of a hybrid search with the default fusion
  std::optional<ReciprocalRanking> reciprocal;  // of a hybrid search by reciprocal ranks
  std::vector<StageTiming> timings;             // of the last two steps

  // At least the first `count` places, exactly, and more where the last of them ties with the next.
  // By ComesBefore. Fewer only when the ranking has no more.
  Result<std::vector<ScoredChunk>> Best(size_t count) const;
  // All chunks of the ranking, and their number.
  Result<Bitmap> Members() const;
  int64_t member_count() const;
  // score = sum of a chunk's parts * calibration.
  double calibration() const;
  // The most that a chunk scores that no retriever proposes.
  ScoredChunk BestUnproposed() const;
};

// Runs all steps. `allowed` is the filter's set of live chunks, null without a filter. All
// arguments must outlive the result; `made` as in MakeRetrievalPlan.
Result<FusedRanking> MakeFusedRanking(const Snapshot& snapshot, const QueryTools& tools,
                                      const SearchRequest& request, const Bitmap* allowed,
                                      const SynthesizedQuery* made = nullptr);

// As many of a whole ranking as FusedRanking::Best promises.
std::vector<ScoredChunk> FirstOf(const std::vector<ScoredChunk>& ranking, size_t count);

}  // namespace recall
