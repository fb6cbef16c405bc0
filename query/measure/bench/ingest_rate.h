#pragma once

#include <atomic>

#include "query/measure/bench/bench_types.h"
#include "storage/base/result.h"

namespace recall {

// Adds `request.ingest` twice to an empty store with the settings of the benchmarked one. The new
// store is in a temporary directory beside the benchmarked one, on the same disk; it is removed at
// the end. Errors: those of creating and filling a store; NotFound for a path that does not exist.
Result<BenchIngest> MeasureIngest(const BenchRequest& request, const std::atomic<bool>& cancel);

}  // namespace recall
