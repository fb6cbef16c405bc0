#pragma once

#include <optional>
#include <string>

#include "storage/base/status.h"

namespace recall {

// Writes the dirty pages of a store and its write-ahead log to the disk, and asks the system to
// drop their pages from the page cache. This is only advice: pages that a process has mapped stay.
// Requires: this process does not have the store open, because closing a descriptor of it would
// release SQLite's locks. Errors: IoError.
Status DropFromPageCache(const std::string& store_path);

// Returns: the share of the pages of both files that is in memory, in [0, 1]; nullopt if the system
// does not report it (it does so only to users who may write the file). Requires: as above.
std::optional<double> ShareInPageCache(const std::string& store_path);

}  // namespace recall
