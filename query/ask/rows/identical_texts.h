#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "query/ask/rows/ranked_page.h"

namespace recall {

// Ranked chunks with the same text, to the byte.
struct IdenticalRows {
  RankedRow first;                       // the first of them in the ranking
  std::vector<RankedRow> further;        // the others, in the order of the ranking
  std::optional<std::string> text = {};  // of all of them, if it had to be read
};

// Groups rows in the order of the ranking by their texts. Returns: one element for each of the
// first `most` different texts, in the order of the first rows. Rows with other texts are left out.
// Errors: Corruption.
Result<std::vector<IdenticalRows>> GroupIdentical(std::vector<RankedRow> ranked, size_t most,
                                                  RowReader& rows);

}  // namespace recall
