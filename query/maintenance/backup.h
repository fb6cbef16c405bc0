#pragma once

#include <atomic>

#include "query/types/maintenance_types.h"
#include "storage/base/result.h"

namespace recall {

// Implements Database::Backup. `cancel` may be null.
Result<BackupReport> RunBackup(const BackupRequest& request, const UpkeepProgressFn& progress,
                               const std::atomic<bool>* cancel);

}  // namespace recall
