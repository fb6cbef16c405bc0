#pragma once

#include <cstdint>
#include <vector>

#include "index/search/bitmap/bitmap.h"
#include "index/search/lexical_query/lexical_query.h"
#include "storage/base/result.h"

namespace recall {

// The number of live chunks that contain a clause, and whether one of them does not pass a filter.
struct ClauseMatches {
  uint64_t live = 0;
  bool elsewhere = false;
};

// Document frequencies of one commit.
class TermStatistics {
 public:
  virtual ~TermStatistics() = default;
  // The number of live chunks: N in BM25.
  virtual uint64_t chunks() const = 0;
  // Returns: one element for each clause of the query, in its order. Computes no scores.
  // `filter.removed` contains the chunks that are not live. Errors: Corruption.
  virtual Result<std::vector<ClauseMatches>> CountMatches(const LexicalQuery& query,
                                                          const ChunkFilter& filter) const = 0;
};

}  // namespace recall
