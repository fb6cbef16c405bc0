#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/embed/vector_space/vector_space.h"
#include "index/search/bitmap/bitmap.h"
#include "index/search/snapshot/lexical_candidates.h"
#include "index/search/snapshot/semantic_candidates.h"
#include "index/search/snapshot/term_statistics.h"
#include "index/search/vocabulary/near_term.h"

namespace recall {

// Asks for the chunks that have a token of the full-text index; of `among`, which is ascending, or
// of all if that is null.
struct TokenQuestion {
  std::string token;
  const std::vector<uint32_t>* among = nullptr;
};

struct TokenCount {
  uint32_t chunk = 0;
  uint32_t count = 0;  // how often the chunk has the token
};

// The indexes of one commit, opened for one query. They must outlive the objects that they return.
class SearchIndexes : public TermStatistics {
 public:
  // The chunks that the commit does not show: those of removed document versions, in a snapshot of
  // an older commit later chunks, and those that are hidden from its reader. No search returns or
  // counts them.
  virtual const Bitmap& removed() const = 0;

  // Finds the matches of a query. The filter applies to the matches; document frequencies and
  // lengths are those of all live chunks. The bitmaps of the filter may be destroyed when the call
  // returns.
  virtual Result<std::unique_ptr<LexicalCandidates>> SearchLexical(
      const LexicalQuery& query, const ChunkFilter& filter) const = 0;

  // Returns: for each question its chunks, ascending. Chunks that the commit does not show may be
  // among them: the caller compares them with `removed` or with matches of a query.
  virtual Result<std::vector<std::vector<TokenCount>>> ChunksWith(
      std::span<const TokenQuestion> questions) const = 0;

  // Finds the terms of the vocabulary that are most similar to a word that no chunk contains, at
  // most `most`, in the order of IsNearer. Some may have no live or visible chunk. `word` is
  // folded; `stem` is its stem.
  virtual Result<std::vector<NearTerm>> FindNearTerms(std::string_view word, std::string_view stem,
                                                      size_t most) const = 0;

  // Opens the segments and the delta for a search, on the thread of the snapshot. Requires: `query`
  // belongs to the vector space with which the indexes were opened, and outlives the result.
  virtual Result<std::unique_ptr<SemanticCandidates>> PrepareSemantic(
      const VectorQuery& query, const ChunkFilter& filter,
      const SemanticSearchOptions& options) const = 0;
};

}  // namespace recall
