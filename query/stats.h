#pragma once

#include "query/store_types.h"
#include "storage/store.h"

namespace recall {

// Database::Stats.
Result<StatsReport> RunStats(Store& store);

}  // namespace recall
