#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "query/measure/bench/bench_types.h"
#include "storage/base/result.h"

namespace recall {

// Asks the vector retriever with its shortlist and without, and compares. Texts without any answer
// do not count.
Result<BenchRecall> MeasureRetrieverRecall(const BenchRequest& request,
                                           const std::vector<std::string>& texts,
                                           const std::atomic<bool>& cancel);

// The share of the best `k` of `exact` that `found` has too; 1 when there are none. Both are
// ranked and explained. What is as similar as the k-th of `exact` stands for any other that is.
double ShareFound(const std::vector<SearchHit>& exact, const std::vector<SearchHit>& found,
                  size_t k);

}  // namespace recall
