#pragma once

#include <cstdint>
#include <vector>

#include "query/ask/retrieval/ranking.h"
#include "query/ask/rows/row_order.h"

namespace recall {

// The requested part of a result.
struct PageRequest {
  RqlTable from = RqlTable::kChunk;
  const RowOrder* order = nullptr;
  size_t offset = 0;
  size_t limit = 0;

  // The number of rows to find from the start of the order: offset + limit + 1. The additional row
  // shows whether there is a next page.
  size_t reach() const;
};

struct ResultPage {
  std::vector<ResultRow> rows;  // of the page
  int64_t total = 0;
  bool more = false;  // there is a row after the page
};

// Returns: the rows that satisfy a filter, unranked, ordered by ORDER BY, else by path and
// position. `set` contains chunk rowids, or document rowids if page.from is kDoc; null: everything
// live. Errors: Corruption.
Result<ResultPage> ReadFilteredRows(const Snapshot& snapshot, const Bitmap* set,
                                    const PageRequest& page);

// Returns: rows of a ranking, ordered by ORDER BY, else by score. FROM doc returns each document
// once, with its best chunk. Errors: those of Ranking::Best, and Corruption.
Result<ResultPage> ReadRankedRows(const Snapshot& snapshot, const Ranking& ranking,
                                  const PageRequest& page);

}  // namespace recall
