#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/search/bitmap/bitmap.h"
#include "index/search/columns/chunk_columns.h"
#include "index/search/lexical/matched_blocks.h"
#include "index/search/lexical_query/lexical_query.h"
#include "index/search/snapshot/lexical_candidates.h"
#include "index/search/snapshot/term_statistics.h"
#include "storage/store/store.h"

namespace recall {

// All chunks that match a query, and their BM25 scores (index/search/lexical/bm25.h, over live
// chunks). A chunk matches if it matches every +must clause and no -not clause and, if there is no
// +must, at least one of the others. The weights of fields (LexicalQuery::field_weights) change
// scores, but not which chunks match. The set of matches is computed first; a chunk is scored only
// when its score is requested. Const members are thread-safe. Must not outlive the columns it was
// made with.
class LexicalScores final {
 public:
  // The `k` best by score descending, then chunk rowid ascending: the same as if all were scored.
  // Cost: one comparison for each block of 64 chunk rowids, and the scores of the blocks that may
  // contain one of the best.
  std::vector<RetrieverHit> Top(size_t k) const;
  // The matches with at least this score, by chunk rowid. Cost: as Top with this many hits.
  std::vector<RetrieverHit> AtLeast(double score) const;
  bool Holds(uint32_t chunk) const;  // whether the chunk matches
  // The chunk's score; 0 if it does not match.
  double Score(uint32_t chunk) const;
  // The part of this score that words of the document's path add.
  double PathScore(uint32_t chunk) const;
  // The parts of this score that occurrences in each field and in other text add, by
  // kTextFieldNames; what words of the path add is in none of them.
  std::array<double, kTextFields> ScoreByField(uint32_t chunk) const;
  // The rank in Top of a chunk that matches, from 1. Scores every match that may be better.
  uint64_t Rank(const RetrieverHit& hit) const;
  // The conditions that the query's operators impose on candidates of another retriever, as sets
  // for its filter: the chunks that match every +must and no -not (none if there is no +must), and
  // the chunks that match a -not.
  std::optional<Bitmap> Required() const;
  Bitmap Excluded() const;
  uint64_t matches() const { return matches_; }
  // The chunks that match, as a set.
  Bitmap Matches() const;
  // An upper bound of all scores: the limit for a text that contains every clause infinitely often.
  double score_upper_bound() const { return score_upper_bound_; }
  // One per clause of the query, in its order.
  const std::vector<LexicalTerm>& terms() const { return terms_; }

 private:
  friend class LexicalSearch;
  std::vector<uint32_t> BlocksByMost() const;
  double ScoreOf(uint32_t chunk, MatchedBlocks::Evidence evidence) const;

  MatchedBlocks blocks_;
  // By block: the upper bound of the scores of its matches; 0 if it has none.
  std::vector<float> most_;
  uint64_t matches_ = 0;
  std::vector<LexicalTerm> terms_;
  double score_upper_bound_ = 0;
};

// Runs a query inside one transaction. The filter applies to the result; N, df and lengths are
// those of all chunks but `filter.removed`, of which `counts` are the totals. Scores have the same
// bits on every CPU: only + - * / are used, clause by clause in the query's order. `recent`: null,
// or the postings of the last search in this transaction; clauses that it had, too, are not read
// again.
Result<LexicalScores> SearchLexical(const ReadTransaction& transaction, const StoreCounts& counts,
                                    const ChunkColumns& columns, const LexicalQuery& query,
                                    const ChunkFilter& filter, RecentPostings* recent = nullptr);

// Counts the matches of each clause of a query, in its order. Scores nothing.
Result<std::vector<ClauseMatches>> CountMatches(const ReadTransaction& transaction,
                                                const LexicalQuery& query,
                                                const ChunkFilter& filter);

}  // namespace recall
