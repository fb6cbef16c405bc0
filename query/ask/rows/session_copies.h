#pragma once

#include <cstddef>
#include <vector>

#include "query/ask/rows/folded_rows.h"

namespace recall {

// Folds sessions that are copies of each other, in the order of the ranking: an agent writes what
// was said once more when a session is resumed or forked. Two sessions of a ranking are one result
// if they show the same turn, and have the same turns (roles and texts), or one has at least two
// and all of them begin the other. Requires: each document has one row. Returns: as FoldRows.
// Errors: Corruption.
Result<std::vector<FoldedRows>> FoldSessionCopies(std::vector<RankedRow> ranked, size_t most,
                                                  RowReader& rows);

}  // namespace recall
