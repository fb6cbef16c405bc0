#pragma once

#include "query/answer/search.h"

namespace recall {

<<<<<<< HEAD
// Searches, then packs the ranking into the budget.
Result<ContextResponse> RunContext(const Snapshot& snapshot, const QueryTools& tools,
=======
// Searches, then packs the best chunks or passages into the token budget.
Result<ContextResponse> RunContext(const ReadTransaction& transaction, const QueryTools& tools,
>>>>>>> wt-ed3
                                   const ContextRequest& request, const std::string& commit_token);

}  // namespace recall
