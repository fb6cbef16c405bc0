#pragma once

#include <atomic>
#include <string>

#include "index/search/snapshot/filter_sets.h"
#include "query/types/sharing_types.h"
#include "storage/store/store.h"

namespace recall {

// Implements Database::Push. `filters`: of the commit of the transaction; `snapshot`: its token.
Result<PushReport> RunPush(const ReadTransaction& transaction, const FilterSets& filters,
                           const std::string& snapshot, const std::atomic<bool>& cancelled,
                           const PushRequest& request);

}  // namespace recall
