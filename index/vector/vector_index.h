#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "index/filter/bitmap.h"
#include "index/vector/chunk_columns.h"

namespace recall {

struct VectorHit {
  uint32_t chunk;
  float score;  // cosine of the quantised vectors, in [-1, 1]
};

struct VectorSearchOptions {
  size_t k = 200;
  // Candidates the signature scan hands to the exact rerank; 0: max(200, N/10000), at most 2000,
  // and never below k.
  size_t depth = 0;
  bool exact = false;  // score every vector instead
  size_t threads = 1;
  // A thread is only started for this many vectors or more.
  uint64_t vectors_per_thread = 500'000;
};

struct VectorSearchStats {
  uint64_t scanned = 0;   // vectors that passed the filter and were looked at
  uint64_t reranked = 0;  // vectors scored in full
};

// The k best chunks that pass the filter, by score descending, then chunk row ascending. The same
// answer for every thread count, SIMD target, and for mapped or copied segments. Small selections
// (up to 2,000 vectors, or 3% of all) are always scored in full. A zero query has no hits.
Result<std::vector<VectorHit>> SearchVectors(const ChunkColumns& columns, const VectorQuery& query,
                                             const ChunkFilter& filter,
                                             const VectorSearchOptions& options,
                                             VectorSearchStats* stats = nullptr);

// The score SearchVectors gives (or would give) each chunk; 0 for chunks without a vector.
// Requires: chunks ascending.
Result<std::vector<float>> ScoreVectors(const ChunkColumns& columns, const VectorQuery& query,
                                        std::span<const uint32_t> chunks);

}  // namespace recall
