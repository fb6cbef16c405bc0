#pragma once

#include <atomic>

#include "query/types/maintenance_types.h"
#include "storage/base/result.h"

namespace recall {

// Implements Database::Inspect. `cancel` may be null.
Result<InspectReport> RunInspect(const InspectRequest& request, const std::atomic<bool>* cancel);

}  // namespace recall
