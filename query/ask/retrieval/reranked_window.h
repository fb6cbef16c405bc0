#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "query/ask/ranking/rerank.h"
#include "query/ask/retrieval/candidate_pool.h"

namespace recall {

// The number of chunks that are reranked. Each costs reading its words, or its text if the forward
// index does not have them.
inline constexpr size_t kWindowSize = 300;
// Chunks after the window get scores of at most this share of the lowest score of the window.
inline constexpr double kBelowWindow = 0.999;

// The reranking window: the best candidates of the initial pool, ranked again.
struct RerankedWindow {
  Reranking reranking;
  std::vector<uint32_t> first_stage_order;  // its candidates, by first-stage score, best first
  Bitmap unproposed;  // chunks of the window that no retriever proposes; only in a small store
  double below_factor = 1;

  // A chunk of the first-stage ranking that follows the window, with its score scaled below the
  // window.
  ScoredChunk Below(ScoredChunk scored) const;
  // The ranking of the window, followed by the chunks of a first-stage ranking that are not in it.
  std::vector<ScoredChunk> With(const std::vector<ScoredChunk>& first_stage) const;
  // A first-stage score in (0, 1] that every chunk has whose score after Below is at least `score`,
  // which is above 0. `scale`: of the first stage.
  double FirstStageScore(double score, const FusionScale& scale) const;
};

// Reranks the best kWindowSize candidates. Returns: nothing if there is no candidate and no chunk
// joins them. Requires: both retrievers ran, and the default fusion. Errors: as ReadRerankFeatures.
Result<std::optional<RerankedWindow>> RerankWindow(const Snapshot& snapshot,
                                                   const RetrievalPlan& plan,
                                                   const RetrieverHits& hits,
                                                   const CandidatePool& pool);

}  // namespace recall
