#pragma once

#include <cstdint>
#include <functional>
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

// Rows of one place: `take` of those that satisfy the filter, after `skip` of them.
struct PageRows {
  RowPlace place;
  uint64_t skip = 0;
  uint64_t take = 1;
};

// Which rows a page has. They are read one after the other (ReadRows), so a page may have any
// number of them.
struct ResultPage {
  std::vector<PageRows> places;     // of rows that are not ranked
  std::vector<ScoredChunk> ranked;  // or of rows that are, each with its chunk
  size_t count = 0;
  int64_t total = 0;
  bool more = false;  // there is a row after the page
};

// Returns: the rows that satisfy a filter, unranked, ordered by ORDER BY, else by path and
// position. `set` contains chunk rowids, or document rowids if page.from is kDoc; null: everything
// live. Errors: Corruption.
Result<ResultPage> FindFilteredRows(const Snapshot& snapshot, const Bitmap* set,
                                    const PageRequest& page);

// Returns: rows of a ranking, ordered by ORDER BY, else by score. FROM doc returns each document
// once, with its best chunk. Errors: those of Ranking::Best, and Corruption.
Result<ResultPage> FindRankedRows(const Snapshot& snapshot, const Ranking& ranking,
                                  const PageRequest& page);

// Reads the rows of a page, in order. `from` and `set` are those of the page. An error of `visit`
// ends it. Errors: Corruption.
Status ReadRows(const TextsAndFacts& texts, RqlTable from, const Bitmap* set,
                const ResultPage& page, const std::function<Status(const ResultRow& row)>& visit);

}  // namespace recall
