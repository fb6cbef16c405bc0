#pragma once

#include <atomic>

#include "query/measure/bench/bench_types.h"
#include "storage/base/result.h"

namespace recall {

// Measures how fast and how exactly a store answers. Nothing of the store is changed.
//
// All that opens a store is done in child processes, so that each measurement begins with nothing
// opened, mapped or remembered, and one can be dropped from the page cache at all.
// Requires: this process has no store open and has never had this one, and runs one thread.
//
// Errors: those of Database::Open, of InputFile::Open and of asking; NotFound when there is nothing
// to ask about; InvalidArgument for a line that is no question; Cancelled once *cancel is true.
Result<BenchReport> RunBench(const BenchRequest& request, const BenchProgressFn& progress,
                             const std::atomic<bool>& cancel);

}  // namespace recall
