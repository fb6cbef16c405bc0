#pragma once

#include <atomic>
#include <vector>

#include "query/measure/bench/asker.h"
#include "query/measure/bench/bench_types.h"
#include "storage/base/result.h"

namespace recall {

// Computes the percentiles. Requires: at least one time.
BenchLatency SummarizeLatencies(std::vector<int64_t> micros);

// Measures warm latencies: one process keeps the store open, asks all questions once without
// counting them, and then `rounds` times.
Result<BenchLatency> MeasureWarm(const BenchRequest& request, const Questions& questions,
                                 BenchKind kind, const std::atomic<bool>& cancel);

// Measures cold latencies: for each question the pages of the store are dropped from the page
// cache, and a new process opens the store and asks it. *kept_share becomes the largest share of
// pages that were still cached, if known.
Result<BenchLatency> MeasureCold(const BenchRequest& request, const Questions& questions,
                                 BenchKind kind, const std::atomic<bool>& cancel,
                                 std::optional<double>* kept_share);

// Measures the throughput of `workers` processes or threads. Each has the store open and asks all
// questions once, starting at a different question.
Result<BenchThroughput> MeasureThroughput(const BenchRequest& request, const Questions& questions,
                                          BenchKind kind, bool processes, size_t workers,
                                          const std::atomic<bool>& cancel);

}  // namespace recall
