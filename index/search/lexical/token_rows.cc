#include "index/search/lexical/token_rows.h"

#include <algorithm>
#include <bit>

#include "index/search/lexical/clause_postings.h"

namespace recall {
namespace {

// How often a row has the token, by a precomputed list; 0 if it does not.
uint32_t CountIn(const PostingBlocks& blocks, uint32_t row) {
  const auto place = blocks.Find(row / PostingBlocks::kRows);
  if (!place) return 0;
  const uint32_t slot = row % PostingBlocks::kRows;
  const uint64_t rows = blocks.Rows(*place);
  if ((rows >> slot & 1) == 0) return 0;
  const uint64_t before = rows & ((uint64_t{1} << slot) - 1);
  const uint32_t count = blocks.Counts(*place)[std::popcount(before)];
  return count == PostingBlocks::kLong ? blocks.LongCount(row) : count;
}

std::vector<TokenCount> CountsOf(const ClauseSource& source, const std::vector<uint32_t>* among) {
  std::vector<TokenCount> counts;
  if (among == nullptr) {
    if (source.list) {
      for (const Posting& posting : source.list->blocks.Decode()) {
        counts.push_back({posting.row, posting.count});
      }
    }
    for (const Posting& posting : source.rest) counts.push_back({posting.row, posting.count});
    return counts;
  }
  for (const uint32_t row : *among) {
    uint32_t count = source.list ? CountIn(source.list->blocks, row) : 0;
    const auto found = std::ranges::lower_bound(source.rest, row, {}, &Posting::row);
    if (found != source.rest.end() && found->row == row) count = found->count;
    if (count > 0) counts.push_back({row, count});
  }
  return counts;
}

}  // namespace

Result<std::vector<std::vector<TokenCount>>> FindChunksWith(
    const ReadTransaction& transaction, std::span<const TokenQuestion> questions) {
  std::vector<LexicalClause> clauses(questions.size());
  for (size_t i = 0; i < questions.size(); ++i) {
    clauses[i].any_of.push_back({{questions[i].token}, false});
  }
  RECALL_ASSIGN(const std::vector<ClauseSource> sources,
                ReadClauseSources(transaction, clauses, nullptr));
  std::vector<std::vector<TokenCount>> found;
  for (size_t i = 0; i < questions.size(); ++i) {
    found.push_back(CountsOf(sources[i], questions[i].among));
  }
  return found;
}

}  // namespace recall
