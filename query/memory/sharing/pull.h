#pragma once

#include "query/memory/sessions/session_writer.h"
#include "query/types/sharing_types.h"

namespace recall {

// Implements Database::Pull.
Result<PullReport> RunPull(const SessionDependencies& deps, const PullRequest& request);

}  // namespace recall
