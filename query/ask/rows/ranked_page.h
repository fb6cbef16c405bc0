#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "query/ask/ranking/fusion.h"
#include "query/ask/rows/views.h"

namespace recall {

// A ranked chunk with its row and the row of its document.
struct RankedRow {
  ScoredChunk fused;
  RowReader::Located row;
};

// The order of equal scores: by path and position in the document, or by the time of the document,
// the newest first, before that.
enum class TieOrder : uint8_t { kPath, kNewest };

// Reads the places offset .. offset+count-1 of a ranking; fewer if it is shorter. With kNewest the
// rows of all chunks with a score of the page are read. Requires: `ranking` is in descending order
// of scores, and includes all chunks that tie with the last place of the page, as Ranking::Best
// returns them. Errors: Corruption.
Result<std::vector<RankedRow>> ReadPage(std::span<const ScoredChunk> ranking, RowReader& rows,
                                        size_t offset, size_t count,
                                        TieOrder order = TieOrder::kPath);

}  // namespace recall
