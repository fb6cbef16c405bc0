#pragma once

#include <string>

#include "query/measure/eval/eval_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// Write the results of an evaluation, as the JSON object `eval` and as tables. Values are rounded
// to six decimals.
void WriteFields(const EvalReport& report, const EvalRequest& request, JsonWriter& json);
void WriteFields(const SpanReport& report, const EvalRequest& request, JsonWriter& json);
std::string FormatEvalReport(const EvalReport& report);
std::string FormatEvalReport(const SpanReport& report);

}  // namespace recall
