#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "query/ranking/rerank.h"
#include "query/retrieval/candidate_pool.h"

namespace recall {

// The number of chunks that are reranked. More do not improve the ranking, and each costs reading
// its words, or its text if the forward index does not have them.
inline constexpr size_t kWindowSize = 100;
// Chunks after the window get scores of at most this share of the lowest score of the window.
inline constexpr double kBelowWindow = 0.999;

// The reranking window: the best chunks of the first stage, ranked again.
struct RerankedWindow {
  Reranking reranking;
  std::vector<uint32_t> first_stage_order;  // the first-stage places of the window, best first
  Bitmap unproposed;  // chunks of the window that no retriever proposes; only in a small store
  size_t size = 0;    // chunks in the window before those without evidence were removed
  double below_factor = 1;

  // A chunk of the first-stage ranking that follows the window, with its score scaled below the
  // window.
  ScoredChunk Below(ScoredChunk scored) const;
};

// Reranks the best hundred. Returns: nothing if the first-stage ranking is empty and no chunk joins
// it. Requires: both retrievers ran, and the default fusion. Errors: as ReadRerankFeatures.
Result<std::optional<RerankedWindow>> RerankWindow(const Snapshot& snapshot,
                                                   const RetrievalPlan& plan,
                                                   const RetrieverHits& hits,
                                                   const CandidatePool& pool);

}  // namespace recall
