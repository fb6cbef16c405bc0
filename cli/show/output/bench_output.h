#pragma once

#include <string>
#include <vector>

#include "cli/show/output/text_table.h"
#include "query/measure/bench/bench_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// Write the results of a benchmark, as the JSON object `bench` and as tables. Milliseconds have
// three decimals, shares six. Tables that do not fit in `columns` become blocks of lines
// (FormatTable). `stable`: without the values that differ from run to run.
void WriteFields(const BenchReport& report, const BenchRequest& request, JsonWriter& json);
std::string FormatBenchReport(const BenchReport& report, const BenchRequest& request, bool stable,
                              size_t columns);

// The parts of this text. A table without measurements has no rows.
std::string BenchHead(const BenchReport& report, const BenchRequest& request);
TextTable LatencyTable(const std::vector<BenchLatency>& latencies, bool stable);
TextTable ThroughputTable(const std::vector<BenchThroughput>& throughputs, bool stable);
TextTable RecallTable(const std::vector<BenchRecall>& recalls);
std::vector<std::string> IngestLines(const BenchIngest& ingest, bool stable);

}  // namespace recall
