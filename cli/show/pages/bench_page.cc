#include "cli/show/pages/bench_page.h"

#include <algorithm>

#include "cli/show/html/charts.h"
#include "cli/show/html/html.h"
#include "cli/show/output/bench_output.h"
#include "cli/show/output/comparison_output.h"
#include "cli/show/output/text_output.h"
#include "cli/show/pages/page_tables.h"

namespace recall {
namespace {

double ChartMillis(int64_t micros) {
  return static_cast<double>(std::max<int64_t>(micros, 1)) / 1000;
}

std::vector<double> Positive(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !(value > 0); });
  return values;
}

HistogramChart ChartOf(const BenchReport& report,
                       const std::optional<BenchComparison>& comparison) {
  HistogramChart chart;
  chart.title = "Distribution of the latency of each kind of query";
  chart.axis = "milliseconds, logarithmic";
  if (comparison) chart.earlier = "the earlier run";
  for (const BenchLatency& latency : report.latencies) {
    HistogramChart::Row row;
    row.label = std::string(BenchKindName(latency.kind));
    row.note = latency.cold ? "cold" : "warm";
    row.series = static_cast<size_t>(latency.kind);
    for (const int64_t micros : latency.query_micros) row.values.push_back(ChartMillis(micros));
    row.marks = {{"p50", ChartMillis(latency.p50_micros)},
                 {"p90", ChartMillis(latency.p90_micros)},
                 {"p99", ChartMillis(latency.p99_micros)}};
    if (comparison) {
      for (const BenchChange& change : comparison->changes) {
        if (change.what == row.label && change.cache == row.note) {
          row.earlier = Positive(change.query_ms_before);
        }
      }
    }
    chart.rows.push_back(std::move(row));
  }
  return chart;
}

std::string SectionOf(std::string_view heading, const std::string& note, const TextTable& table) {
  const std::string content = TextTableHtml(table);
  return content.empty() ? "" : HtmlSection(heading, note, content);
}

}  // namespace

std::string BenchPage(const BenchReport& report, const BenchRequest& request,
                      const std::optional<BenchComparison>& comparison, const std::string& measured,
                      bool stable) {
  std::vector<std::string> facts = {request.store_path, BenchHead(report, request)};
  if (!measured.empty()) facts.push_back(measured);
  std::string body;
  if (!stable && !report.latencies.empty()) {
    const std::string rounds = Plural(static_cast<int64_t>(request.rounds), "round");
    body += HtmlSection("Latency",
                        "One value for each query: warm, the shortest of its " + rounds +
                            "; cold, a new process that opens the store. Bars are numbers of "
                            "queries, each row on its own scale. The percentiles are those of all "
                            "timed queries, as in the table.",
                        HistogramChartSvg(ChartOf(report, comparison)) +
                            TextTableHtml(LatencyTable(report.latencies, stable)));
  } else {
    body += SectionOf("Queries", "", LatencyTable(report.latencies, stable));
  }
  if (comparison) {
    body += ComparisonSection(comparison->file, ComparisonNotes(*comparison),
                              stable ? "" : TextTableHtml(ComparisonTable(*comparison)));
  }
  body += SectionOf("Throughput", "", ThroughputTable(report.throughputs, stable));
  body += SectionOf("Recall of the vector shortlist", "", RecallTable(report.recalls));
  if (report.ingest) {
    std::string lines;
    for (const std::string& line : IngestLines(*report.ingest, stable)) {
      lines += HtmlElement("p", "", HtmlText(line)) + "\n";
    }
    body += HtmlSection("Ingest", "", lines);
  }
  return HtmlPage("Speed of a Recall store", facts, body);
}

}  // namespace recall
