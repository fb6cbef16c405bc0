#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "query/ranking/rerank.h"
#include "query/retrieval/candidate_pool.h"

namespace recall {

// The number of chunks that are ranked again. More win nothing, and each costs the reading of a
// text.
inline constexpr size_t kWindowSize = 100;
// A factor that keeps the scores of what follows a window below those of the window.
inline constexpr double kBelowWindow = 0.999;

// The best of the first-stage ranking, ranked again.
struct RerankedWindow {
  Reranking reranking;
  std::vector<uint32_t> first_stage_order;  // its chunks as the first stage ranks them
  Bitmap unproposed;  // chunks of the window that no retriever proposes, in a small store
  size_t size = 0;    // of the window, before chunks without evidence were left out
  double below_factor = 1;

  // A chunk of the first-stage ranking behind the window, with the score that it gets there.
  ScoredChunk Below(ScoredChunk scored) const;
};

// None when the first-stage ranking is empty. Requires: both retrievers ran, and the default
// fusion. Errors: as ReadRerankFeatures.
Result<std::optional<RerankedWindow>> RerankWindow(const Snapshot& snapshot,
                                                   const RetrievalPlan& plan,
                                                   const RetrieverHits& hits,
                                                   const CandidatePool& pool);

}  // namespace recall
