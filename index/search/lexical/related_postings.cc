// The postings of the words that mean nearly the same as those of a query.
//
// Problem. The lexicon has up to 24 related words for a word. A store has some of them, and each
// costs a look-up in every run of the full-text index, or a long list of postings.
//
// Idea. The words are read in rounds, the nearest first: a round asks for as many as a clause still
// lacks, and all clauses share its pass over the index. A precomputed list has its length in its
// header, so that of a frequent word is not read. A word that many chunks have needs no related
// ones.
//
// Invariant. The words that are kept depend on the live chunks alone, not on chunks that were
// removed and are still in the index.
//
// Cost: one look-up for each word up to the last that is kept; at most 24 a clause.

#include "index/search/lexical/related_postings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace recall {
namespace {

uint64_t CountAll(const ClausePostings& postings) {
  uint64_t count = 0;
  for (const PostingPart& part : postings) count += part.blocks.postings();
  return count;
}

// The number of postings in chunks that are not in `removed`.
uint64_t CountLivePostings(const ClausePostings& postings, const Bitmap& removed) {
  if (removed.Empty()) return CountAll(postings);
  uint64_t count = 0;
  for (const PostingPart& part : postings) {
    for (size_t i = 0; i < part.blocks.size(); ++i) {
      const uint32_t first = part.blocks.number(i) * PostingBlocks::kRows;
      std::array<uint32_t, 2> halves{};
      removed.CopyBits(first, first + (PostingBlocks::kRows - 1), halves);
      const uint64_t dead = halves[0] | uint64_t{halves[1]} << 32;
      count += static_cast<uint64_t>(std::popcount(part.blocks.Rows(i) & ~dead));
    }
  }
  return count;
}

// A clause whose related words are being read.
struct Reading {
  size_t clause;
  size_t next = 0;  // the nearest related word that was not read
};

// The next related words of each clause, as clauses of one word.
std::vector<LexicalClause> NextRound(const LexicalQuery& query, const std::vector<Reading>& open,
                                     const std::vector<std::vector<FoundRelated>>& found) {
  std::vector<LexicalClause> round;
  for (const Reading& reading : open) {
    const std::vector<RelatedWord>& words = query.clauses[reading.clause].related;
    const size_t lacking = kMostRelatedWords - found[reading.clause].size();
    const size_t end = std::min(words.size(), reading.next + lacking);
    for (size_t i = reading.next; i < end; ++i) {
      round.emplace_back().any_of.push_back({{words[i].stem}, false});
    }
  }
  return round;
}

}  // namespace

Result<std::vector<std::vector<FoundRelated>>> ReadRelatedPostings(
    const ReadTransaction& transaction, const LexicalQuery& query,
    const std::vector<SharedPostings>& asked, uint64_t most_matches, double average_length,
    const PostingBlocks::NormOf& norm, const Bitmap& removed) {
  const uint64_t most_listed = most_matches + removed.Count();
  std::vector<std::vector<FoundRelated>> found(query.clauses.size());
  std::vector<Reading> open;
  for (size_t i = 0; i < query.clauses.size(); ++i) {
    if (query.clauses[i].related.empty() || CountAll(*asked[i]) > most_listed) continue;
    if (CountLivePostings(*asked[i], removed) <= most_matches) open.push_back({i});
  }
  while (!open.empty()) {
    const std::vector<LexicalClause> round = NextRound(query, open, found);
    RECALL_ASSIGN(const std::vector<SharedPostings> postings,
                  ReadShortClauses(transaction, round, average_length, norm, most_listed));
    auto read = postings.begin();
    for (Reading& reading : open) {
      const std::vector<RelatedWord>& words = query.clauses[reading.clause].related;
      std::vector<FoundRelated>& kept = found[reading.clause];
      const size_t end = std::min(words.size(), reading.next + kMostRelatedWords - kept.size());
      for (; reading.next < end; ++reading.next, ++read) {
        const uint64_t matches = *read ? CountLivePostings(**read, removed) : 0;
        if (matches == 0 || matches > most_matches) continue;
        kept.push_back({&words[reading.next], matches, *read});
      }
    }
    std::erase_if(open, [&](const Reading& reading) {
      return found[reading.clause].size() == kMostRelatedWords ||
             reading.next == query.clauses[reading.clause].related.size();
    });
  }
  return found;
}

}  // namespace recall
