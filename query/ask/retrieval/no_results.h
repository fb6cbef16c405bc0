#pragma once

#include <string>

#include "query/ask/retrieval/ranking.h"

namespace recall {

// Why a ranking without members has none, for the user: "no chunk contains 'databse'; similar:
// 'database'". The most specific reason that holds; empty if it is one of the ranking's warnings,
// that the query has no words or the store no vectors. Requires: total_hits() == 0. Errors:
// Corruption.
Result<std::string> WhyNothingWasFound(const Ranking& ranking);

}  // namespace recall
