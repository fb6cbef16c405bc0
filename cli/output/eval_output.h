#pragma once

#include <string>

#include "cli/output/json.h"
#include "query/measure/eval/eval_types.h"

namespace recall {

// What an evaluation found: the object `eval`, and as tables. Figures are rounded to six decimals.
Json ToJson(const EvalReport& report, const EvalRequest& request);
Json ToJson(const SpanReport& report, const EvalRequest& request);
std::string FormatEvalReport(const EvalReport& report);
std::string FormatEvalReport(const SpanReport& report);

}  // namespace recall
