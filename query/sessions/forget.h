#pragma once

#include <atomic>
#include <string>

#include "query/types/session_types.h"
#include "storage/store/store.h"

namespace recall {

// Implements Database::Forget: removes sessions, their transcripts and all their versions from the
// file, and records their paths, so that nothing brings them back. Errors: NotFound if a target is
// no session; InvalidArgument for an invalid filter.
Result<ForgetReport> RunForget(Store& store, const std::atomic<bool>& cancelled,
                               const ForgetRequest& request);

}  // namespace recall
