#include "index/search/lexical/token_rows.h"

#include <algorithm>

#include "index/search/lexical/clause_postings.h"

namespace recall {
namespace {

bool IsMarked(const PostingBlocks& blocks, uint32_t row) {
  const auto place = blocks.Find(row / PostingBlocks::kRows);
  return place && (blocks.Rows(*place) >> row % PostingBlocks::kRows & 1) != 0;
}

std::vector<uint32_t> RowsOf(const ClauseSource& source, const std::vector<uint32_t>* among) {
  std::vector<uint32_t> rows;
  if (among == nullptr) {
    if (source.list) {
      for (const Posting& posting : source.list->blocks.Decode()) rows.push_back(posting.row);
    }
    for (const Posting& posting : source.rest) rows.push_back(posting.row);
    return rows;
  }
  for (const uint32_t row : *among) {
    const bool listed = source.list && IsMarked(source.list->blocks, row);
    if (listed || std::ranges::binary_search(source.rest, row, {}, &Posting::row)) {
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace

Result<std::vector<std::vector<uint32_t>>> FindChunksWith(
    const ReadTransaction& transaction, std::span<const TokenQuestion> questions) {
  std::vector<LexicalClause> clauses(questions.size());
  for (size_t i = 0; i < questions.size(); ++i) {
    clauses[i].any_of.push_back({{questions[i].token}, false});
  }
  RECALL_ASSIGN(const std::vector<ClauseSource> sources,
                ReadClauseSources(transaction, clauses, nullptr));
  std::vector<std::vector<uint32_t>> found;
  for (size_t i = 0; i < questions.size(); ++i) {
    found.push_back(RowsOf(sources[i], questions[i].among));
  }
  return found;
}

}  // namespace recall
