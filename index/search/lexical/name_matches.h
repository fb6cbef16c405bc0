#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/search/lexical/matched_blocks.h"
#include "storage/base/result.h"
#include "storage/sqlite/connection.h"

namespace recall {

// A plain word of the query, as clauses of the blocks: one with its postings in texts, and one with
// those in paths.
struct NamedWord {
  size_t text = 0;
  size_t path = 0;
  double idf = 0;         // of the word in texts
  bool in_names = false;  // whether a live chunk has it in its path
};

// Documents are found by their names if these have at least this share of the query's words, each
// counted by its idf,
inline constexpr double kLeastNamedShare = 0.5;
// and if fewer chunks than this contain all the words;
inline constexpr uint64_t kEnoughTexts = 100;
// of the documents with as large a share, those with the lowest rowids, at most as many.
inline constexpr size_t kMostNamed = 64;
// They score as if their names were in a text that is longer than the average by this factor, so
// that texts with the same words come first.
inline constexpr double kNameLength = 2.5;

// Finds documents of which no chunk matches, but whose names do. Returns: the first chunk of each
// that passes the filter and has no -not clause, one word for each block; empty if there is none.
// `allowed`, `removed`: one word for each block, or empty. Requires: the matches of `blocks` are
// known. Errors: those of SQLite.
Result<std::vector<uint64_t>> FindNamedRows(Connection& connection, const MatchedBlocks& blocks,
                                            std::span<const NamedWord> words,
                                            std::span<const uint64_t> allowed,
                                            std::span<const uint64_t> removed);

}  // namespace recall
