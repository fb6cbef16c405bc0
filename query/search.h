#pragma once

#include "query/retrieval.h"
#include "query/views.h"

namespace recall {

// A ranked chunk with its rows, in final order.
struct RankedRow {
  FusedCandidate fused;
  RowReader::Located row;
};

// The ranking's places offset .. offset+count-1 in the published order: score descending, then
// path, offset, id in byte order.
Result<std::vector<RankedRow>> OrderRows(const Fusion& fusion, RowReader& rows, size_t offset,
                                         size_t count);

// Retrieves, orders, cuts the page and reads its texts.
Result<SearchResponse> RunSearch(const ReadTransaction& transaction, const QueryTools& tools,
                                 const SearchRequest& request);

}  // namespace recall
