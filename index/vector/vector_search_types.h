#pragma once

// What a vector search is asked, and what it answers.

#include <cstddef>
#include <cstdint>

#include "index/interface/retriever_hit.h"

namespace recall {

struct VectorSearchOptions {
  size_t k = 200;
  // Hits by chunk rowid. Where they are many, ordering them by score takes longer than finding
  // them.
  bool by_chunk = false;
  // Candidates that the sign code scan hands to the exact rerank in any case, and the largest k
  // that sign codes serve; 0: ShortlistDepth of the store.
  size_t depth = 0;
  // And how many when the cosines of these ask for more; 0: 16 times as many.
  size_t most = 0;
  bool exact = false;  // score every vector that passes the filter
  size_t threads = 1;
  // Vectors of the store, which decide on depth and plan; 0: as many as the columns hold, among
  // them those of removed chunks. An answer that maintenance must not change gives the live ones.
  uint64_t store_vectors = 0;
  // A thread is only started for this many vectors or more.
  uint64_t vectors_per_thread = 500'000;
};

struct VectorSearchStats {
  uint64_t scanned = 0;   // vectors that were looked at, if only at their sign codes
  uint64_t reranked = 0;  // vectors scored in full
  bool exact = true;      // nothing was left out by its sign code: these are the k best
};

}  // namespace recall
