#pragma once

#include <optional>
#include <string>

#include "storage/base/status.h"

namespace recall {

// Asks the system to forget what it holds of a store's file and its write-ahead log, after writing
// to the disk what waits for that. Advice: pages that a process has mapped stay.
// Requires: this process does not have the store open, for closing a descriptor of it would drop
// SQLite's locks. Errors: IoError.
Status DropFromPageCache(const std::string& store_path);

// Which share of both files' pages is in memory, in [0, 1]. Nothing where the system does not tell
// (it does so only to those who may write to a file). Requires: as above.
std::optional<double> ShareInPageCache(const std::string& store_path);

}  // namespace recall
