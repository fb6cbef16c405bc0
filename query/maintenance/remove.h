#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "index/search/filter/filter_expr.h"
#include "query/types/store_types.h"
#include "storage/store/store.h"

namespace recall {

// Implements Database::Remove. `root`: the directory that paths are relative to. `cancelled` ends a
// purge after the current step. `scope` as in OpenOptions; unset: everything.
Result<RemoveReport> RunRemove(Store& store, const std::atomic<bool>& cancelled,
                               const RemoveRequest& request, const std::string& root,
                               const std::optional<FilterExpr>& scope);

}  // namespace recall
