#pragma once

#include <string>

#include "query/measure/bench/bench_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// Write the results of a benchmark, as the JSON object `bench` and as tables. Milliseconds have
// three decimals, shares six. `stable`: without the values that differ from run to run.
void WriteFields(const BenchReport& report, const BenchRequest& request, JsonWriter& json);
std::string FormatBenchReport(const BenchReport& report, const BenchRequest& request, bool stable);

}  // namespace recall
