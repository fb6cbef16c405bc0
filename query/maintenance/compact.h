#pragma once

#include <atomic>

#include "index/embed/vector_space/vector_space.h"
#include "query/types/store_types.h"
#include "storage/store/store.h"

namespace recall {

// Implements Database::Compact. `cancelled` ends it after the current step.
Result<CompactReport> RunCompact(Store& store, const std::atomic<bool>& cancelled,
                                 const CompactRequest& request, const CompactProgressFn& progress);

}  // namespace recall
