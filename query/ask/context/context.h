#pragma once

#include "query/ask/answer/search.h"
#include "query/types/context_types.h"

namespace recall {

// Searches, then packs the ranking into the token budget. `commit_token` as in ResolveScope.
// Errors: InvalidArgument for an invalid budget, expansion or vocabulary; those of RunSearch.
Result<ContextResponse> RunContext(const Snapshot& snapshot, const QueryDependencies& deps,
                                   const ContextRequest& request, const std::string& commit_token);

}  // namespace recall
