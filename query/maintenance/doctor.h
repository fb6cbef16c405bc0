#pragma once

#include <atomic>

#include "query/types/maintenance_types.h"
#include "storage/base/result.h"

namespace recall {

// Implements Database::Doctor. `cancel` may be null.
Result<DoctorReport> RunDoctor(const DoctorRequest& request, const DoctorProgressFn& progress,
                               const std::atomic<bool>* cancel);

}  // namespace recall
