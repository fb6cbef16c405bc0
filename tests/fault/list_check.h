#pragma once

#include <string>
#include <vector>

#include "tests/fault/plain_sql.h"

namespace recall {

// One sentence for each precomputed posting list, in a complete set, that differs from the postings
// in FTS5. Requires: temp.postings, an fts5vocab table of type `instance`.
Result<std::vector<std::string>> FaultyLists(PlainSql& sql);

// The sets of posting lists, complete or not, and their words. "" for formats without them.
Result<std::string> DescribeLists(PlainSql& sql);

// One sentence for each kind of record in the forward index that belongs to nothing.
Result<std::vector<std::string>> FaultyWords(PlainSql& sql);

// The dictionary and the records of the forward index. "" for formats without them.
Result<std::string> DescribeWords(PlainSql& sql);

}  // namespace recall
