#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "query/ask/rows/ranked_page.h"

namespace recall {

// The ranked chunks that one result shows.
struct FoldedRows {
  RankedRow first;                       // the first of them in the ranking
  std::vector<RankedRow> further;        // those with the same text, to the byte, in its order
  std::vector<RankedRow> places = {};    // the others of the same file of code, in its order
  std::optional<std::string> text = {};  // of `first` and `further`, if it had to be read
};

enum class CodePlaces : uint8_t {
  kKeep,  // each place of a file of code is a result
  kFold,  // the first place of such a file stands for the others
};

// Folds rows in the order of the ranking. Returns: the first `most` results, in the order of their
// first rows. Rows of further results are left out. Errors: Corruption.
Result<std::vector<FoldedRows>> FoldRows(std::vector<RankedRow> ranked, size_t most,
                                         CodePlaces places, RowReader& rows);

}  // namespace recall
