#pragma once

#include <string>

#include "query/retrieval/ranking.h"

namespace recall {

// Answers an RQL query. `commit_token` as in ResolveScope.
Result<QueryResponse> RunQuery(const Snapshot& snapshot, const QueryTools& tools,
                               const QueryRequest& request, const std::string& commit_token);

}  // namespace recall
