#pragma once

#include <vector>

#include "index/search/vector/vector_index.h"

namespace recall {

// Both steps of a VectorSearch.
inline Result<std::vector<RetrieverHit>> SearchVectors(const ChunkColumns& columns,
                                                       const VectorQuery& query,
                                                       const ChunkFilter& filter,
                                                       const VectorSearchOptions& options,
                                                       VectorSearchStats* stats = nullptr) {
  RECALL_ASSIGN(const VectorSearch search, VectorSearch::Prepare(columns, query, filter, options));
  return search.Run(stats);
}

}  // namespace recall
