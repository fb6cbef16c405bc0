#pragma once

#include <optional>
#include <string>

#include "cli/show/comparison/comparison.h"
#include "query/measure/eval/eval_types.h"

namespace recall {

// Returns: a page that shows an evaluation: the quality of each collection (each budget) as dots
// with intervals, and the tables of the report; with a comparison, both runs. Equal arguments give
// equal bytes.
std::string EvalPage(const EvalReport& report, const EvalRequest& request,
                     const std::optional<EvalComparison>& comparison);
std::string EvalPage(const SpanReport& report, const EvalRequest& request,
                     const std::optional<EvalComparison>& comparison);
// Answers have no comparison.
std::string EvalPage(const AnswerReport& report, const EvalRequest& request,
                     const std::optional<EvalComparison>& comparison);

}  // namespace recall
