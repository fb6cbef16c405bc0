#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "storage/sqlite/connection.h"

namespace recall {

using BackupProgressFn = std::function<void(int64_t pages_done, int64_t pages)>;

// Copies the database, as the source's open read transaction sees it, into a file that must be
// there and be empty. Others may write to the source meanwhile: they neither wait nor show in the
// copy. The copy is durable when this returns; its name is the caller's to make durable. `cancel`
// may be null. Requires: `source` in a read transaction that has read something. Errors: Cancelled,
// IoError; what is in the file then is worth nothing.
Status CopyDatabase(Connection& source, const std::string& to, const BackupProgressFn& progress,
                    const std::atomic<bool>* cancel);

}  // namespace recall
