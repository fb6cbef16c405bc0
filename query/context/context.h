#pragma once

#include "query/answer/search.h"

namespace recall {

// Searches, then packs the ranking into the budget.
Result<ContextResponse> RunContext(const Snapshot& snapshot, const QueryTools& tools,
                                   const ContextRequest& request, const std::string& commit_token);

}  // namespace recall
