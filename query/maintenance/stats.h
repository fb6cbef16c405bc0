#pragma once

#include "query/types/store_types.h"
#include "storage/store/store.h"

namespace recall {

// Implements Database::Stats.
Result<StatsReport> RunStats(Store& store);

// Implements Database::Sizes.
Result<StoreSizes> RunSizes(Store& store);

}  // namespace recall
