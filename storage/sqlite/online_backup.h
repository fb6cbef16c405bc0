#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "storage/base/status.h"

namespace recall {

class Connection;

using BackupProgressFn = std::function<void(int64_t pages_done, int64_t pages)>;

// Copies the database, as the source's open read transaction sees it, into an existing empty file.
// Other processes may write to the source meanwhile; they do not wait, and their changes are not
// copied. The copy is durable on return; the caller must make its name durable. `cancel` may be
// null. Requires: `source` in a read transaction that has read something. Errors: Cancelled,
// IoError; the file's content is then undefined.
Status CopyDatabase(Connection& source, const std::string& to, const BackupProgressFn& progress,
                    const std::atomic<bool>* cancel);

}  // namespace recall
