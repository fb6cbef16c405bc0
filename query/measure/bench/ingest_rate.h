#pragma once

#include <atomic>

#include "query/measure/bench/bench_types.h"
#include "storage/base/result.h"

namespace recall {

// Adds `request.ingest` to an empty store with the settings of the benchmarked one, twice. It lies
// in a directory of its own beside that store, on the same disk, which is removed in the end.
// Errors: those of making and filling a store; NotFound for a path that does not exist.
Result<BenchIngest> MeasureIngest(const BenchRequest& request, const std::atomic<bool>& cancel);

}  // namespace recall
