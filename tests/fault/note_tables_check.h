#pragma once

#include <string>
#include <vector>

#include "tests/fault/plain_sql.h"

namespace recall {

// The faults of the tables of notes: names that do not exist, and cards, sums of uses and reviews
// and the set of notes that are not those of documents and logs. None in a store of a format
// without notes. Errors: those of SQLite.
Result<std::vector<std::string>> FaultyNotes(PlainSql& sql);

}  // namespace recall
