#pragma once

#include <string>

#include "query/retrieval/retrieval.h"

namespace recall {

// Answers an RQL query. `commit_token` as in ResolveScope.
Result<QueryResponse> RunQuery(const ReadTransaction& transaction, const QueryTools& tools,
                               const QueryRequest& request, const std::string& commit_token);

}  // namespace recall
