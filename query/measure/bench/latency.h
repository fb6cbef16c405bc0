#pragma once

#include <atomic>
#include <vector>

#include "query/measure/bench/asker.h"
#include "query/measure/bench/bench_types.h"
#include "storage/base/result.h"

namespace recall {

// Sorts and sums up. Requires: at least one.
BenchLatency SummarizeLatencies(std::vector<int64_t> micros);

// One process keeps the store open, asks everything once uncounted, then `rounds` times.
Result<BenchLatency> MeasureWarm(const BenchRequest& request, const Questions& questions,
                                 BenchKind kind, const std::atomic<bool>& cancel);

// Each question is a process of its own, which opens the store anew, and before each the store's
// pages are dropped. *kept_share grows to the largest share that was still there, if known.
Result<BenchLatency> MeasureCold(const BenchRequest& request, const Questions& questions,
                                 BenchKind kind, const std::atomic<bool>& cancel,
                                 std::optional<double>* kept_share);

// So many processes or threads, each with the store open, each asking everything once, beginning
// at another place.
Result<BenchThroughput> MeasureThroughput(const BenchRequest& request, const Questions& questions,
                                          BenchKind kind, bool processes, size_t workers,
                                          const std::atomic<bool>& cancel);

}  // namespace recall
