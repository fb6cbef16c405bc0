#pragma once

#include <string>

#include "query/ask/retrieval/ranking.h"
#include "query/types/query_types.h"

namespace recall {

// Answers an RQL query. `commit_token` as in ResolveScope. Errors: InvalidArgument, with a
// position, for an invalid query; those of ResolveFilter and Rank.
Result<QueryResponse> RunQuery(const Snapshot& snapshot, const QueryDependencies& deps,
                               const QueryRequest& request, const std::string& commit_token);

}  // namespace recall
