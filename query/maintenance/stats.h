#pragma once

#include <optional>

#include "query/types/store_types.h"
#include "storage/store/store.h"

namespace recall {

// Implements Database::Stats, but for the summary of the store. `tells_file`: as in StatsReport.
Result<StatsReport> RunStats(const Store& store, const ReadTransaction& transaction,
                             bool tells_file);

// Implements Database::Sizes.
Result<std::optional<StoreSizes>> RunSizes(Store& store);

}  // namespace recall
