#pragma once

#include <vector>

#include "query/rows/ranked_page.h"

namespace recall {

// Ranked chunks with the same text, to the byte.
struct IdenticalRows {
  RankedRow first;                 // the first of them in the ranking
  std::vector<RankedRow> further;  // the others, in the order of the ranking
};

// Groups rows in the order of the ranking by their texts. Returns: one element for each different
// text, in the order of the first rows. Errors: Corruption.
Result<std::vector<IdenticalRows>> GroupIdentical(std::vector<RankedRow> ranked, RowReader& rows);

}  // namespace recall
