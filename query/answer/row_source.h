#pragma once

#include <cstdint>
#include <vector>

#include "query/retrieval/ranking.h"
#include "query/rows/row_order.h"

namespace recall {

// Which part of a result is asked for.
struct PageRequest {
  RqlTable from = RqlTable::kChunk;
  const RowOrder* order = nullptr;
  size_t offset = 0;
  size_t limit = 0;

  // Rows to find in order: the page, what is before it, and one more to know whether there is a
  // next page.
  size_t reach() const;
};

struct ResultPage {
  std::vector<ResultRow> rows;  // of the page
  int64_t total = 0;
  bool more = false;  // there is a row after the page
};

// Rows that satisfy a filter, unranked: by ORDER BY, else by path and place. `set` holds chunk
// rows or document rows as `page.from` says; null is everything that is live.
Result<ResultPage> ReadFilteredRows(const Snapshot& snapshot, const Bitmap* set,
                                    const PageRequest& page);

// Rows of a ranking: by ORDER BY, else by score. FROM doc gives each document once, with its best
// chunk.
Result<ResultPage> ReadRankedRows(const Snapshot& snapshot, const Ranking& ranking,
                                  const PageRequest& page);

}  // namespace recall
