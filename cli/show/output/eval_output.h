#pragma once

#include <string>
#include <string_view>

#include "cli/show/output/text_table.h"
#include "query/measure/eval/eval_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// Write the results of an evaluation, as the JSON object `eval` and as tables, or as
// blocks of lines where a table does not fit in `columns` (FormatTable). Values are rounded to six
// decimals.
void WriteFields(const EvalReport& report, const EvalRequest& request, JsonWriter& json);
void WriteFields(const SpanReport& report, const EvalRequest& request, JsonWriter& json);
void WriteFields(const AnswerReport& report, const EvalRequest& request, JsonWriter& json);
std::string FormatEvalReport(const EvalReport& report, size_t columns);
std::string FormatEvalReport(const SpanReport& report, size_t columns);
std::string FormatEvalReport(const AnswerReport& report, size_t columns);

// The tables of this text, and what the differences are.
inline constexpr std::string_view kDifferenceTitle =
    "nDCG@10 minus that of lexical search, 95 % interval, p of the paired bootstrap";
inline constexpr std::string_view kSpanDifferenceTitle =
    "Context minus windows, 95 % interval, p of the paired bootstrap";
TextTable QualityTable(const EvalReport& report);
TextTable DifferenceTable(const EvalReport& report);
TextTable SpanSetTable(const SpanReport& report);
TextTable SpanQualityTable(const SpanReport& report);
TextTable SpanDifferenceTable(const SpanReport& report);
inline constexpr std::string_view kAnswerTitle =
    "Share of the questions whose answers are in the packed text, 95 % interval";
inline constexpr std::string_view kAnswerDifferenceTitle =
    "Context minus the other, 95 % interval, p of the paired bootstrap";
TextTable AnswerCorpusTable(const AnswerReport& report);
TextTable AnswerTable(const AnswerReport& report);
TextTable AnswerDifferenceTable(const AnswerReport& report);
// "In the full texts of the best five chunks: .7, of the best ten: .8"
std::string AnswersInReach(const AnswerReport& report);

}  // namespace recall
