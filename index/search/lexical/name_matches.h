#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
  std::optional<size_t> path = {};  // set if the path of a live chunk has the word
  double idf = 0;                   // of the word in texts
};

// The least share of the query's words, weighed by their idf, that a name must have.
inline constexpr double kLeastNamedShare = 0.5;
// Names are not searched if this number of chunks contain all words of the query.
inline constexpr uint64_t kEnoughTexts = 100;
// The number of documents that are looked up, those with the largest share first.
inline constexpr size_t kMostNamed = 64;
// The length, in units of the average length of a chunk, that the text of a document found by its
// name is scored with at least. Texts with the same words then come first.
inline constexpr double kNameLength = 2.5;

// Finds documents of which no chunk matches, but whose names do. Returns: the first chunk of each
// that passes the filter and matches no -not clause, as a mask of 64 rows for each block; empty if
// there is none. `allowed`, `removed`: such masks, or empty. Requires: the matches of `blocks` are
// known. Errors: those of SQLite.
Result<std::vector<uint64_t>> FindNamedRows(Connection& connection, const MatchedBlocks& blocks,
                                            std::span<const NamedWord> words,
                                            std::span<const uint64_t> allowed,
                                            std::span<const uint64_t> removed);

}  // namespace recall
