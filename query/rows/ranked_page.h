#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "query/ranking/fusion.h"
#include "query/rows/views.h"

namespace recall {

// A ranked chunk with its rows, in final order.
struct RankedRow {
  ScoredChunk fused;
  RowReader::Located row;
};

// The ranking's places offset .. offset+count-1 in the published order: score descending, then
// path, offset, id in byte order. `ranking` is by score and must not end amid equal scores that
// the page needs; Ranking::Best sees to that.
Result<std::vector<RankedRow>> ReadPage(std::span<const ScoredChunk> ranking, RowReader& rows,
                                        size_t offset, size_t count);

}  // namespace recall
