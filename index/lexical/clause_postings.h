#pragma once

#include <vector>

#include "index/lexical/posting_blocks.h"
#include "index/lexical_query/lexical_query.h"
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

// Reads the postings of each clause of a query, in their order. Common terms have precomputed
// block-max posting lists for all but the newest chunks; all other postings are read from the
// full-text index, up to the last allocated chunk rowid. `norm` must be that of `average_length`.
Result<std::vector<ClausePostings>> ReadClauses(const ReadTransaction& transaction,
                                                const LexicalQuery& query, double average_length,
                                                const PostingBlocks::NormOf& norm);

}  // namespace recall
