#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/show/comparison/comparison.h"
#include "cli/show/output/text_table.h"
#include "storage/base/json_writer.h"

namespace recall {

// Returns: "better", "worse", "same", "unclear" or "unknown".
std::string_view VerdictName(Verdict verdict);

// Write a comparison, as the JSON object `against` and as text: the settings that differ, then a
// table, or as blocks of lines if it does not fit in `columns` (FormatTable). `stable`: without the
// values that differ from run to run.
void WriteFields(const BenchComparison& comparison, JsonWriter& json);
void WriteFields(const EvalComparison& comparison, JsonWriter& json);
std::string FormatComparison(const BenchComparison& comparison, bool stable, size_t columns);
std::string FormatComparison(const EvalComparison& comparison, size_t columns);

// These tables.
TextTable ComparisonTable(const BenchComparison& comparison);
TextTable ComparisonTable(const EvalComparison& comparison);
// What the tables show and what they cannot show, as sentences.
std::vector<std::string> ComparisonNotes(const BenchComparison& comparison);
std::vector<std::string> ComparisonNotes(const EvalComparison& comparison);

}  // namespace recall
