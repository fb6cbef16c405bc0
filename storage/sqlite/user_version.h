#pragma once

#include <cstdint>

#include "storage/base/result.h"

namespace recall {

class Connection;

// Whether PRAGMA user_version, the format version of a store, is `version` or later.
Result<bool> FormatIsAtLeast(Connection& connection, int64_t version);

}  // namespace recall
