#pragma once

#include <memory>

#include "index/bitmap/bitmap.h"
#include "index/interface/lexical_candidates.h"
#include "index/interface/semantic_candidates.h"
#include "index/interface/term_statistics.h"
#include "index/vector_space/vector_space.h"

namespace recall {

// The indexes of one commit, opened for one question. All that they make must be destroyed before
// them.
class SearchIndexes : public TermStatistics {
 public:
  // Chunks of removed document versions and, in a snapshot of an older commit, later chunks: they
  // take part in nothing.
  virtual const Bitmap& removed() const = 0;

  // The filter applies to the matches; document frequencies and lengths are those of all live
  // chunks. The bitmaps of the filter may be destroyed when the call returns.
  virtual Result<std::unique_ptr<LexicalCandidates>> SearchLexical(
      const LexicalQuery& query, const ChunkFilter& filter) const = 0;

  // Opens what the search reads, on the thread of the snapshot. Requires: a query of the space that
  // the indexes were opened with; it must exist as long as the result.
  virtual Result<std::unique_ptr<SemanticCandidates>> PrepareSemantic(
      const VectorQuery& query, const ChunkFilter& filter,
      const SemanticSearchOptions& options) const = 0;
};

}  // namespace recall
