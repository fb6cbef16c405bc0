#include <algorithm>
#include <bit>
#include <span>

#include "index/search/lexical/clause_postings.h"
#include "index/search/lexical/lexical_index.h"

namespace recall {
namespace {

// Counts the chunks that match each clause, to weigh the hundreds of words of a text.
//
// Idea: nothing is scored, so neither lengths nor maxima are needed, and of a precomputed list only
// its header, which has the number of its postings. The list itself is read if chunks were removed,
// because it may contain some of them, or if it has so few postings that all may be in chunks that
// pass the filter.

// A set of chunk rowids, as the bits of its blocks.
class BlockBits final {
 public:
  explicit BlockBits(const Bitmap& chunks) {
    if (chunks.Empty()) return;
    words_.resize(size_t{chunks.Last()} / kRows * 2 + 2);
    chunks.CopyBits(0, chunks.Last(), words_);
  }
  uint64_t Of(uint32_t block) const {
    const size_t at = size_t{block} * 2;
    return at < words_.size() ? words_[at] | uint64_t{words_[at + 1]} << 32 : 0;
  }
  bool Contains(uint32_t row) const { return (Of(row / kRows) >> row % kRows & 1) != 0; }

 private:
  static constexpr uint32_t kRows = PostingBlocks::kRows;
  std::vector<uint32_t> words_;
};

class ClauseCounter final {
 public:
  explicit ClauseCounter(const ChunkFilter& filter)
      : filter_(filter),
        removed_(filter.removed ? *filter.removed : Bitmap()),
        passing_(filter.allowed ? *filter.allowed : Bitmap()),
        most_passing_(filter.allowed ? filter.allowed->Count() : 0),
        none_removed_(!filter.removed || filter.removed->Empty()) {}

  bool NeedsList(uint64_t postings) const { return !none_removed_ || postings <= most_passing_; }

  ClauseMatches Count(const ClauseSource& source) const {
    ClauseMatches matches;
    uint64_t passing = 0;
    if (source.list) {
      CountList(source.list->blocks, &matches.live, &passing);
    } else {
      matches.live = source.listed;
    }
    for (const Posting& posting : source.rest) {
      if (removed_.Contains(posting.row)) continue;
      ++matches.live;
      if (passing_.Contains(posting.row)) ++passing;
    }
    matches.elsewhere = filter_.allowed && matches.live > passing;
    return matches;
  }

 private:
  void CountList(const PostingBlocks& blocks, uint64_t* live, uint64_t* passing) const {
    for (size_t i = 0; i < blocks.size(); ++i) {
      const uint64_t rows = blocks.Rows(i) & ~removed_.Of(blocks.number(i));
      *live += static_cast<uint64_t>(std::popcount(rows));
      *passing += static_cast<uint64_t>(std::popcount(rows & passing_.Of(blocks.number(i))));
    }
  }

  const ChunkFilter& filter_;
  const BlockBits removed_;
  const BlockBits passing_;
  const uint64_t most_passing_;
  const bool none_removed_;
};

}  // namespace

Result<std::vector<ClauseMatches>> CountMatches(const ReadTransaction& transaction,
                                                const LexicalQuery& query,
                                                const ChunkFilter& filter) {
  const ClauseCounter counter(filter);
  RECALL_ASSIGN(const std::vector<ClauseSource> sources,
                ReadClauseSources(transaction, query.clauses,
                                  [&](uint64_t postings) { return counter.NeedsList(postings); }));
  std::vector<ClauseMatches> counts;
  for (const ClauseSource& source : sources) counts.push_back(counter.Count(source));
  return counts;
}

}  // namespace recall
