#pragma once

#include <string>

#include "query/memory/notes/note_dependencies.h"
#include "query/types/note_types.h"

namespace recall {

// Implement Database::Use, Review, Due, Stale and States. `commit_token` as in ResolveScope.
Result<UseReport> RunUse(const NoteDependencies& deps, const UseRequest& request);
Result<ReviewReport> RunReview(const NoteDependencies& deps, const ReviewRequest& request);
Result<DueReport> RunDue(const Snapshot& snapshot, const DueRequest& request,
                         const std::string& commit_token);
Result<StaleReport> RunStale(const Snapshot& snapshot, const StaleRequest& request,
                             const std::string& commit_token);
Result<StatesReport> RunStates(const Snapshot& snapshot, const StatesRequest& request);

}  // namespace recall
