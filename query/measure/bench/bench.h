#pragma once

#include <atomic>

#include "query/measure/bench/bench_types.h"
#include "storage/base/result.h"

namespace recall {

// Measures the latency, throughput and recall of a store. The store is not changed.
//
// Stores are opened only in child processes, so that each measurement starts without open files,
// mappings and caches, and pages can be dropped from the page cache.
// Requires: this process has no store open, has never opened this one, and has a single thread.
//
// Errors: those of Database::Open, of InputFile::Open and of queries; NotFound if the store has no
// text to sample; InvalidArgument for an invalid line of a question file; Cancelled once *cancel is
// true.
Result<BenchReport> RunBench(const BenchRequest& request, const BenchProgressFn& progress,
                             const std::atomic<bool>& cancel);

}  // namespace recall
