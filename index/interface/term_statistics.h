#pragma once

#include <cstdint>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/lexical_query/lexical_query.h"
#include "storage/base/result.h"

namespace recall {

// How many live chunks contain a clause, and how many of those pass a filter.
struct ClauseMatches {
  uint64_t live = 0;
  uint64_t passing = 0;
};

// Document frequencies of one commit.
class TermStatistics {
 public:
  virtual ~TermStatistics() = default;
  // The number of live chunks: N in BM25.
  virtual uint64_t chunks() const = 0;
  // One element for each clause of the query, in its order. Scores nothing. `filter.removed` says
  // which chunks are not live. Errors: Corruption.
  virtual Result<std::vector<ClauseMatches>> CountMatches(const LexicalQuery& query,
                                                          const ChunkFilter& filter) const = 0;
};

}  // namespace recall
