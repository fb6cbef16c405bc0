#pragma once

#include <optional>
#include <string>

#include "cli/show/comparison/comparison.h"
#include "query/measure/bench/bench_types.h"

namespace recall {

// Returns: a page that shows a benchmark: the distribution of the latencies of each kind of query
// and the tables of the report; with a comparison, both runs. `measured`: when and with what, as a
// line of text; empty if the page must not depend on it. `stable`: without the values that differ
// from run to run.
std::string BenchPage(const BenchReport& report, const BenchRequest& request,
                      const std::optional<BenchComparison>& comparison, const std::string& measured,
                      bool stable);

}  // namespace recall
