#pragma once

#include <string>

#include "index/search/snapshot/snapshot.h"
#include "query/types/hint_types.h"

namespace recall {

// Implements Database::HintUse. Errors: those of ResolveScope.
Result<HintUseReport> RunHintUse(const Snapshot& snapshot, const HintUseRequest& request,
                                 const std::string& commit_token);

}  // namespace recall
