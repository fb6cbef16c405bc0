#pragma once

#include <string>
#include <vector>

#include "tests/fault/plain_sql.h"

namespace recall {

// One sentence for each list of postings that lie ready, of a complete set, that does not say what
// FTS5 says of its word. Requires: temp.postings, an fts5vocab table of instances.
Result<std::vector<std::string>> FaultyLists(PlainSql& sql);

// Which lists there are, of sets that are complete and others. "" in formats that had none.
Result<std::string> DescribeLists(PlainSql& sql);

}  // namespace recall
