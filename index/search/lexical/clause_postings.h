#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "index/search/lexical/posting_blocks.h"
#include "index/search/lexical_query/lexical_query.h"
#include "storage/store/store.h"

namespace recall {

// A part of a clause's postings. Their block upper bounds were computed with the average length at
// that time; multiplied by `stretch`, they are valid for the present average length.
struct PostingPart {
  PostingBlocks blocks;
  double stretch = 1;
};

// All postings of a clause; chunk rowids ascend from part to part. The last block of a part and the
// first block of the next may be the same block.
using ClausePostings = std::vector<PostingPart>;

using SharedPostings = std::shared_ptr<const ClausePostings>;

// The postings of a clause as they are stored: the precomputed list of a common term for all but
// the newest chunks, and those from the full-text index.
struct ClauseSource {
  uint64_t listed = 0;  // postings of the precomputed list, which may contain removed chunks
  std::optional<PostingPart> list;
  PostingList rest;
};

// Reads the sources of clauses, in their order, up to the last allocated chunk rowid. A precomputed
// list is read only if `wants_list` is null or returns true for the number of its postings. The
// stretch of a list is 1.
Result<std::vector<ClauseSource>> ReadClauseSources(
    const ReadTransaction& transaction, std::span<const LexicalClause> clauses,
    const std::function<bool(uint64_t postings)>& wants_list);

// The postings of the clauses of the last query. The next one in the same transaction often has
// many of them: `similar` searches for its words twice. Their upper bounds are those of one average
// length, so a query with another one finds none.
class RecentPostings final {
 public:
  SharedPostings Find(const LexicalClause& clause, double average_length) const;
  void Keep(const LexicalQuery& query, double average_length,
            std::span<const SharedPostings> postings);

 private:
  double average_length_ = 0;
  std::vector<std::pair<std::vector<FtsPhrase>, SharedPostings>> clauses_;
};

// Reads the postings of each clause of a query, in their order. Common terms have precomputed
// block-max posting lists for all but the newest chunks; all other postings are read from the
// full-text index, up to the last allocated chunk rowid. `norm` must be that of `average_length`.
// `recent` may be null.
Result<std::vector<SharedPostings>> ReadClauses(const ReadTransaction& transaction,
                                                const LexicalQuery& query, double average_length,
                                                const PostingBlocks::NormOf& norm,
                                                RecentPostings* recent);

// As ReadClauses, but null for a clause whose precomputed list has more postings than `most`.
Result<std::vector<SharedPostings>> ReadShortClauses(const ReadTransaction& transaction,
                                                     std::span<const LexicalClause> clauses,
                                                     double average_length,
                                                     const PostingBlocks::NormOf& norm,
                                                     uint64_t most);

}  // namespace recall
