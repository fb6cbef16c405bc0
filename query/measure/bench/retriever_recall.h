#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "query/measure/bench/bench_types.h"
#include "storage/base/result.h"

namespace recall {

// Compares the results that the vector retriever finds through its shortlist with those of an exact
// scan. Texts without any result do not count.
Result<BenchRecall> MeasureRetrieverRecall(const BenchRequest& request,
                                           const std::vector<std::string>& texts,
                                           const std::atomic<bool>& cancel);

// Returns: the share of the best `k` of `exact` that `found` contains; 1 if `exact` is empty. Both
// are ranked and explained. Hits as similar as the k-th of `exact` are interchangeable.
double ShareFound(const std::vector<SearchHit>& exact, const std::vector<SearchHit>& found,
                  size_t k);

}  // namespace recall
