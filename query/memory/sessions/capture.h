#pragma once

#include "query/memory/sessions/session_writer.h"
#include "query/types/session_types.h"

namespace recall {

// Implements Database::Capture.
Result<CaptureReport> RunCapture(const SessionDependencies& deps, const CaptureRequest& request,
                                 const CaptureProgressFn& progress);

}  // namespace recall
