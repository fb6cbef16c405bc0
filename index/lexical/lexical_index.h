#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/columns/chunk_columns.h"
#include "index/interface/lexical_candidates.h"
#include "index/interface/term_statistics.h"
#include "index/lexical/matched_blocks.h"
#include "index/lexical_query/lexical_query.h"
#include "storage/store/store.h"

namespace recall {

// Every chunk that matches a query, and what it scores with BM25 (index/lexical/bm25.h, over live
// chunks). A chunk matches when it holds every +must and no -not clause, and at least one of the
// others if there is no +must. Which ones match is known; each is scored when its score is asked
// for. Const members are thread-safe. Must not outlive the columns it was made with.
class LexicalScores final {
 public:
  // The `k` best by score descending, then chunk rowid ascending: the same as if all were scored.
  // Cost: of looking at every block of 64 chunk rowids, and of scoring those that may have one of
  // them.
  std::vector<RetrieverHit> Top(size_t k) const;
  // Those that score so much or more, by chunk rowid. Cost: as Top, of so many.
  std::vector<RetrieverHit> AtLeast(double score) const;
  bool Holds(uint32_t chunk) const;  // whether the chunk matches
  // 0 when the chunk does not match.
  double Score(uint32_t chunk) const;
  // The place in Top of a chunk that matches, from 1. Scores every match that may be better.
  uint64_t Rank(const RetrieverHit& hit) const;
  // What the query's operators demand of chunks that another retriever proposes, as sets for its
  // filter: the chunks that hold every +must and no -not (nothing when there is no +must), and the
  // chunks that hold a -not.
  std::optional<Bitmap> Required() const;
  Bitmap Excluded() const;
  uint64_t matches() const { return matches_; }
  // The chunks that match, as a set.
  Bitmap Matches() const;
  // What a text would score that held every wanted clause without end: scores stay below it.
  double score_upper_bound() const { return score_upper_bound_; }
  // One per clause of the query, in its order.
  const std::vector<LexicalTerm>& terms() const { return terms_; }

 private:
  friend class LexicalSearch;
  std::vector<uint32_t> BlocksByMost() const;

  MatchedBlocks blocks_;
  std::vector<float> most_;  // by block: no match there scores more; 0 where there is none
  uint64_t matches_ = 0;
  std::vector<LexicalTerm> terms_;
  double score_upper_bound_ = 0;
};

// Runs a query inside one transaction. The filter applies to what is returned; N, df and lengths
// are those of all live chunks (`filter.removed` says which are not). The same bits on every CPU:
// only + - * / decide, clause after clause in the query's order.
Result<LexicalScores> SearchLexical(const ReadTransaction& transaction, const ChunkColumns& columns,
                                    const LexicalQuery& query, const ChunkFilter& filter);

// Of each clause of a query, in its order. Scores nothing.
Result<std::vector<ClauseMatches>> CountMatches(const ReadTransaction& transaction,
                                                const ChunkColumns& columns,
                                                const LexicalQuery& query,
                                                const ChunkFilter& filter);

}  // namespace recall
