#pragma once

#include "query/answer/search.h"

namespace recall {

// Searches, then packs the best chunks or passages into the token budget.
Result<ContextResponse> RunContext(const ReadTransaction& transaction, const QueryTools& tools,
                                   const ContextRequest& request, const std::string& commit_token);

}  // namespace recall
