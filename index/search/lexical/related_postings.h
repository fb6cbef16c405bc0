#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "index/search/bitmap/bitmap.h"
#include "index/search/lexical/clause_postings.h"
#include "index/search/lexical/posting_blocks.h"
#include "index/search/lexical_query/lexical_query.h"
#include "storage/store/store.h"

namespace recall {

// A word in more chunks than this has no related words, and is none itself. The larger the store,
// the more a related word costs to read, and the more chunks have the word itself.
constexpr uint64_t MostRelatedMatches(uint64_t chunks) {
  constexpr uint64_t kFewest = 100;
  constexpr uint64_t kMost = 2000;
  constexpr uint64_t kProduct = uint64_t{1} << 25;  // kMost up to 16,777 chunks
  return chunks == 0 ? kMost : std::clamp(kProduct / chunks, kFewest, kMost);
}

// The postings of a related word that the store has.
struct FoundRelated {
  const RelatedWord* word;  // of the query
  uint64_t matches;         // live chunks with the word: from 1 to `most_matches`
  SharedPostings postings;
};

// Reads, for each clause of the query, the nearest kMostRelatedWords of its related words that live
// chunks have, in their order; none for a clause that more than `most_matches` live chunks match.
// `asked` are the postings of the clauses; `norm` must be that of `average_length`.
Result<std::vector<std::vector<FoundRelated>>> ReadRelatedPostings(
    const ReadTransaction& transaction, const LexicalQuery& query,
    const std::vector<SharedPostings>& asked, uint64_t most_matches, double average_length,
    const PostingBlocks::NormOf& norm, const Bitmap& removed);

}  // namespace recall
