#pragma once

#include <string>

#include "cli/output/json.h"
#include "query/measure/bench/bench_types.h"

namespace recall {

// What a benchmark found: the object `bench`, and as tables. Milliseconds have three decimals,
// shares six. `stable`: without what differs from run to run.
Json ToJson(const BenchReport& report, const BenchRequest& request);
std::string FormatBenchReport(const BenchReport& report, const BenchRequest& request, bool stable);

}  // namespace recall
