#pragma once

#include "query/memory/sessions/session_writer.h"
#include "query/types/session_types.h"

namespace recall {

// Implements Database::Forget: removes sessions, their transcripts and all their versions from the
// file, and records their paths, so that nothing brings them back. Errors: NotFound if a target is
// no session; InvalidArgument for an invalid filter.
Result<ForgetReport> RunForget(const SessionDependencies& deps, const ForgetRequest& request);

}  // namespace recall
