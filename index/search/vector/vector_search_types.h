#pragma once

// Options and results of a vector search.

#include <cstddef>
#include <cstdint>

#include "index/search/snapshot/retriever_hit.h"

namespace recall {

struct VectorSearchOptions {
  size_t k = 200;
  // Return hits by chunk rowid. If there are many, ordering them by score takes longer than finding
  // them.
  bool by_chunk = false;
  // The number of candidates that the sign-code scan passes to the rerank in any case, and the
  // largest k that sign codes serve; 0: ShortlistDepth of the store.
  size_t depth = 0;
  // Upper limit of the candidates if the cosines of the first ones require more; 0: 16 times the
  // depth. The first step of a search in lists may score a fourth of the depth beyond it.
  size_t most = 0;
  bool exact = false;  // score every vector that passes the filter
  size_t threads = 1;
  // The number of vectors of the store, which determines depth and plan; 0: all vectors of the
  // columns, including those of removed chunks. If maintenance must not change the answer, pass the
  // number of live vectors.
  uint64_t store_vectors = 0;
  // The number of vectors to scan for which one thread is worthwhile; at most `threads` are used.
  uint64_t vectors_per_thread = 500'000;
};

struct VectorSearchStats {
  uint64_t scanned = 0;   // vectors examined, in full or by their sign codes
  uint64_t reranked = 0;  // vectors scored in full
  bool exact = true;      // no vector was excluded by its sign code: these are the k best
};

}  // namespace recall
