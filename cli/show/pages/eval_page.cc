#include "cli/show/pages/eval_page.h"

#include <algorithm>

#include "cli/show/html/charts.h"
#include "cli/show/html/html.h"
#include "cli/show/output/comparison_output.h"
#include "cli/show/output/eval_output.h"
#include "cli/show/pages/page_tables.h"

namespace recall {
namespace {

constexpr std::string_view kIntervals =
    "Lines are 95 % intervals of the means, by the bootstrap over the queries (10,000 resamples). "
    "The queries are the same for all, so two intervals may overlap although the paired difference "
    "below is clear.";

// The value of the earlier run, if it has one.
const EvalChange* FindChange(const std::optional<EvalComparison>& comparison,
                             std::string_view group, std::string_view what,
                             std::string_view measure) {
  if (!comparison) return nullptr;
  const auto& changes = comparison->changes;
  const auto found = std::ranges::find_if(changes, [&](const EvalChange& change) {
    return change.group == group && change.what == what && change.measure == measure;
  });
  return found == changes.end() ? nullptr : &*found;
}

DotChart::Row RowOf(const std::string& label, const RetrieverQualities& retrievers,
                    const RetrieverIntervals& intervals,
                    const std::optional<EvalComparison>& comparison) {
  DotChart::Row row{label, {}};
  for (size_t i = 0; i < kEvalRetrievers.size(); ++i) {
    row.dots.push_back({i, retrievers[i].ndcg_at_10, intervals[i].low, intervals[i].high, false});
    const EvalChange* const change =
        FindChange(comparison, label, EvalRetrieverName(kEvalRetrievers[i]), "nDCG@10");
    if (change != nullptr) row.dots.push_back({i, change->before, 0, -1, true});
  }
  return row;
}

std::string SettingsLine(const EvalRequest& request) {
  return "Stores: " + request.settings.embedder + " vectors of " +
         std::to_string(request.settings.dim) + " dimensions, chunks of " +
         std::to_string(request.settings.chunk_tokens) + " tokens, " +
         std::to_string(request.settings.overlap_tokens) + " of them shared";
}

std::string ComparisonOf(const std::optional<EvalComparison>& comparison) {
  if (!comparison) return "";
  return ComparisonSection(comparison->file, ComparisonNotes(*comparison),
                           TextTableHtml(ComparisonTable(*comparison)));
}

}  // namespace

std::string EvalPage(const EvalReport& report, const EvalRequest& request,
                     const std::optional<EvalComparison>& comparison) {
  DotChart chart;
  chart.title = "nDCG@10 of lexical, semantic and hybrid search for each collection";
  chart.axis = "nDCG@10";
  for (const SearchMode mode : kEvalRetrievers) chart.series.emplace_back(EvalRetrieverName(mode));
  if (comparison) chart.earlier = "the earlier run";
  for (const EvalCollection& collection : report.collections) {
    chart.rows.push_back(
        RowOf(collection.name, collection.retrievers, collection.ndcg_intervals, comparison));
  }
  if (report.collections.size() > 1) {
    chart.rows.push_back(RowOf("average", report.average, report.ndcg_intervals, comparison));
  }
  std::string body = HtmlSection("nDCG@10", kIntervals, DotChartSvg(chart));
  body += ComparisonOf(comparison);
  body += HtmlSection("nDCG@10 / recall@100 / MRR@10", "", TextTableHtml(QualityTable(report)));
  body += HtmlSection("Difference to lexical search", std::string(kDifferenceTitle),
                      TextTableHtml(DifferenceTable(report)));
  return HtmlPage("Quality of searches", {SettingsLine(request)}, body);
}

std::string EvalPage(const SpanReport& report, const EvalRequest& request,
                     const std::optional<EvalComparison>& comparison) {
  std::string body;
  struct Measure {
    const char* heading;
    const char* name;
    double SpanQuality::*value;
    MeanInterval SpanSetResult::Budget::Intervals::*interval;
  };
  using Intervals = SpanSetResult::Budget::Intervals;
  for (const Measure& measure :
       {Measure{"Token recall", "token recall", &SpanQuality::token_recall,
                &Intervals::token_recall},
        Measure{"Precision", "precision", &SpanQuality::precision, &Intervals::precision}}) {
    DotChart chart;
    chart.title = std::string(measure.heading) + " of contexts and of fixed windows";
    chart.axis = measure.name;
    chart.series = {"context", "windows of 256 tokens"};
    if (comparison) chart.earlier = "the earlier run";
    for (const SpanSetResult& set : report.sets) {
      for (const SpanSetResult::Budget& budget : set.budgets) {
        const std::string tokens = std::to_string(budget.budget_tokens) + " tokens";
        const MeanInterval& context = budget.context_intervals.*measure.interval;
        const MeanInterval& windows = budget.windows_intervals.*measure.interval;
        DotChart::Row row{set.name + ", " + tokens, {}};
        row.dots.push_back({0, budget.context.*measure.value, context.low, context.high, false});
        const EvalChange* const change = FindChange(comparison, set.name, tokens, measure.name);
        if (change != nullptr) row.dots.push_back({0, change->before, 0, -1, true});
        row.dots.push_back({1, budget.windows.*measure.value, windows.low, windows.high, false});
        chart.rows.push_back(std::move(row));
      }
    }
    body += HtmlSection(measure.heading, kIntervals, DotChartSvg(chart));
  }
  body += ComparisonOf(comparison);
  body += HtmlSection("Questions", "", TextTableHtml(SpanSetTable(report)));
  body += HtmlSection("Token recall / precision / IoU of the packed text", "",
                      TextTableHtml(SpanQualityTable(report)));
  body += HtmlSection("Difference to windows", std::string(kSpanDifferenceTitle),
                      TextTableHtml(SpanDifferenceTable(report)));
  return HtmlPage("Quality of contexts", {SettingsLine(request)}, body);
}

std::string EvalPage(const AnswerReport& report, const EvalRequest& request,
                     const std::optional<EvalComparison>&) {
  DotChart chart;
  chart.title = "Share of the questions whose answers are in contexts, chunks and fixed windows";
  chart.axis = "answers contained";
  chart.series = {"context", "whole chunks", "windows of 256 tokens"};
  for (const AnswerReport::Budget& budget : report.budgets) {
    DotChart::Row row{std::to_string(budget.budget_tokens) + " tokens", {}};
    for (size_t i = 0; i < kAnswerPackings; ++i) {
      const MeanInterval& interval = budget.all.intervals[i];
      row.dots.push_back({i, budget.all.contained[i], interval.low, interval.high, false});
    }
    chart.rows.push_back(std::move(row));
  }
  std::string body = HtmlSection("Answers contained", kIntervals, DotChartSvg(chart));
  body += HtmlSection("Corpora", AnswersInReach(report), TextTableHtml(AnswerCorpusTable(report)));
  body += HtmlSection("By kind of question", std::string(kAnswerTitle),
                      TextTableHtml(AnswerTable(report)));
  body += HtmlSection("Differences", std::string(kAnswerDifferenceTitle),
                      TextTableHtml(AnswerDifferenceTable(report)));
  return HtmlPage("Answers in contexts", {SettingsLine(request)}, body);
}

}  // namespace recall
