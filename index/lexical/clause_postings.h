#pragma once

#include <vector>

#include "index/lexical/posting_blocks.h"
#include "index/lexical_query/lexical_query.h"
#include "storage/store/store.h"

namespace recall {

// Some of a clause's postings, and how much more than they say their maxima may count now: they
// are those of the average length when the blocks were made.
struct PostingPart {
  PostingBlocks blocks;
  double stretch = 1;
};

// All postings of a clause; rows ascend from part to part. The block where one ends may be that
// where the next begins.
using ClausePostings = std::vector<PostingPart>;

// Reads what each clause of a query matches, in their order. Common words lie ready in blocks, but
// for the last chunks; everything else is read from the lexical index, of chunk rowids that have
// been handed out. `norm` must be that of `average_length`.
Result<std::vector<ClausePostings>> ReadClauses(const ReadTransaction& transaction,
                                                const LexicalQuery& query, double average_length,
                                                const PostingBlocks::NormOf& norm);

}  // namespace recall
