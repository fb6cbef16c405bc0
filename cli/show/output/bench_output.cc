#include "cli/show/output/bench_output.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "cli/show/output/text_output.h"
#include "cli/show/output/text_table.h"

namespace recall {
namespace {

std::string Decimal(double value, int decimals) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  return text;
}

double Rounded(double value, double unit) { return std::round(value / unit) * unit; }
double Millis(int64_t micros) { return static_cast<double>(micros) / 1000; }
double PerSecond(int64_t count, int64_t micros) {
  return static_cast<double>(count) * 1e6 / static_cast<double>(std::max<int64_t>(micros, 1));
}
// Rounds a value that a clock cannot measure more precisely than to a tenth.
double Tenths(double value) { return Rounded(value, 0.1); }

double Share(double value) { return Rounded(value, 1e-6); }

void WriteFields(const BenchLatency& latency, JsonWriter& json) {
  json.Field("what", BenchKindName(latency.kind));
  json.Field("cache", latency.cold ? "cold" : "warm");
  json.Field("asked", latency.asked);
  json.Field("results", latency.results);
  json.Object("ms", [&] {
    json.Field("least", Millis(latency.least_micros));
    json.Field("p50", Millis(latency.p50_micros));
    json.Field("p90", Millis(latency.p90_micros));
    json.Field("p99", Millis(latency.p99_micros));
    json.Field("max", Millis(latency.max_micros));
  });
  json.BeginArray("query_ms");
  for (const int64_t micros : latency.query_micros) json.Double(Millis(micros));
  json.EndArray();
}

void WriteFields(const BenchThroughput& throughput, JsonWriter& json) {
  json.Field("what", BenchKindName(throughput.kind));
  json.Field("by", throughput.processes ? "processes" : "threads");
  json.Field("workers", throughput.workers);
  json.Field("asked", throughput.asked);
  json.Field("ms", Millis(throughput.micros));
  json.Field("per_second", Tenths(PerSecond(throughput.asked, throughput.micros)));
}

void WriteFields(const BenchRecall& recall, JsonWriter& json) {
  const auto share = [&](double value) {
    return recall.asked > 0 ? std::optional(Share(value)) : std::nullopt;
  };
  json.Field("of", recall.by_chunks ? "chunks" : "questions");
  json.Field("asked", recall.asked);
  json.Field("exact_already", recall.exact_already);
  json.Field("at_10", share(recall.at_10));
  json.Field("k", recall.k);
  json.Field("at_k", share(recall.at_k));
}

void WriteFields(const BenchIngest& ingest, JsonWriter& json) {
  const AddReport& first = ingest.first;
  json.Field("found", first.Total());
  json.Field("added", first.added);
  json.Field("skipped", first.skipped);
  json.Field("failed", first.failed);
  json.Field("chunks", first.chunks);
  json.Field("bytes", first.bytes);
  json.Field("again_unchanged", ingest.again_unchanged);
  json.Field("ms", Millis(ingest.micros));
  json.Field("mb_per_second", Tenths(PerSecond(first.bytes, ingest.micros) / 1e6));
  json.Field("files_per_second", Tenths(PerSecond(first.Total(), ingest.micros)));
  json.Field("again_ms", Millis(ingest.again_micros));
  json.Field("again_files_per_second", Tenths(PerSecond(first.Total(), ingest.again_micros)));
  json.Field("store_bytes", ingest.store_bytes);
  json.Field("peak_memory_bytes", ingest.peak_memory_bytes);
}

void WriteQuestions(const BenchReport& report, const BenchRequest& request, JsonWriter& json) {
  const bool sampled = request.questions_file.empty();
  json.Field("source", sampled ? "sampled" : "file");
  json.Field("count", report.questions);
  if (sampled) {
    json.Field("seed", request.seed);
    json.Field("texts", report.sampled);
  } else {
    json.Field("file", request.questions_file);
  }
  json.FieldOrNull("sha256", report.questions_sha256);
  if (request.rql_file.empty()) return;
  json.Object("rql", [&] {
    json.Field("file", request.rql_file);
    json.Field("count", report.rql_queries);
    json.FieldOrNull("sha256", report.rql_sha256);
  });
}

// ---- Text -------------------------------------------------------------------------------------

using BenchRow = std::vector<std::string>;

std::string Ms(int64_t micros) { return Decimal(Millis(micros), 3); }

}  // namespace

std::string BenchHead(const BenchReport& report, const BenchRequest& request) {
  std::string text = Plural(report.store.chunks, "chunk") + " of " +
                     Plural(report.store.docs, "document") + ", vectors of " + report.embedder;
  if (report.questions > 0) {
    text +=
        "; " + std::to_string(report.questions) + (report.questions == 1 ? " query" : " queries");
    text += request.questions_file.empty() ? " sampled with seed " + std::to_string(request.seed)
                                           : " of " + request.questions_file;
    text += ", k " + std::to_string(request.search.k);
  }
  return text;
}

TextTable LatencyTable(const std::vector<BenchLatency>& latencies, bool stable) {
  if (latencies.empty()) return {};
  std::vector<BenchRow> rows = {{"ms", "cache", "queries", "results"}};
  if (!stable) rows[0].insert(rows[0].end(), {"min", "p50", "p90", "p99", "max"});
  for (const BenchLatency& latency : latencies) {
    BenchRow row = {std::string(BenchKindName(latency.kind)), latency.cold ? "cold" : "warm",
                    std::to_string(latency.asked), std::to_string(latency.results)};
    if (!stable) {
      row.insert(row.end(),
                 {Ms(latency.least_micros), Ms(latency.p50_micros), Ms(latency.p90_micros),
                  Ms(latency.p99_micros), Ms(latency.max_micros)});
    }
    rows.push_back(std::move(row));
  }
  std::vector<bool> right(rows[0].size(), true);
  right[0] = right[1] = false;
  return {std::move(rows), std::move(right)};
}

TextTable ThroughputTable(const std::vector<BenchThroughput>& throughputs, bool stable) {
  if (throughputs.empty()) return {};
  std::vector<BenchRow> rows = {{"concurrent", "workers", "queries"}};
  if (!stable) rows[0].insert(rows[0].end(), {"per second"});
  for (const BenchThroughput& throughput : throughputs) {
    BenchRow row = {
        std::string(BenchKindName(throughput.kind)),
        std::to_string(throughput.workers) + (throughput.processes ? " processes" : " threads"),
        std::to_string(throughput.asked)};
    if (!stable) row.push_back(Decimal(PerSecond(throughput.asked, throughput.micros), 1));
    rows.push_back(std::move(row));
  }
  std::vector<bool> right(rows[0].size(), true);
  right[0] = right[1] = false;
  return {std::move(rows), std::move(right)};
}

TextTable RecallTable(const std::vector<BenchRecall>& recalls) {
  if (recalls.empty()) return {};
  const std::string k = std::to_string(recalls.front().k);
  std::vector<BenchRow> rows = {{"recall of the shortlist", "queries", "exact already", "@10"}};
  if (k != "10") rows[0].push_back("@" + k);
  for (const BenchRecall& recall : recalls) {
    const auto share = [&](double value) { return recall.asked > 0 ? Decimal(value, 4) : "-"; };
    BenchRow row = {recall.by_chunks ? "texts of chunks" : "queries", std::to_string(recall.asked),
                    std::to_string(recall.exact_already), share(recall.at_10)};
    if (k != "10") row.push_back(share(recall.at_k));
    rows.push_back(std::move(row));
  }
  std::vector<bool> right(rows[0].size(), true);
  right[0] = false;
  return {std::move(rows), std::move(right)};
}

std::vector<std::string> IngestLines(const BenchIngest& ingest, bool stable) {
  const AddReport& first = ingest.first;
  std::vector<std::string> lines = {
      "ingest: " + Plural(first.Total(), "file") + " found, " + std::to_string(first.added) +
      " added, " + std::to_string(first.skipped) + " skipped, " + std::to_string(first.failed) +
      " failed, " + FormatBytes(first.bytes) + " of text, " + Plural(first.chunks, "chunk") +
      "; then " + std::to_string(ingest.again_unchanged) + " unchanged"};
  if (stable) return lines;
  lines.push_back("ingest: " + Decimal(PerSecond(first.bytes, ingest.micros) / 1e6, 1) + " MB/s, " +
                  Decimal(PerSecond(first.Total(), ingest.micros), 0) + " files/s; unchanged " +
                  Decimal(PerSecond(first.Total(), ingest.again_micros), 0) + " files/s; store " +
                  FormatBytes(ingest.store_bytes) + ", peak memory " +
                  FormatBytes(ingest.peak_memory_bytes));
  return lines;
}

void WriteFields(const BenchReport& report, const BenchRequest& request, JsonWriter& json) {
  const auto fields = [&](const auto& item) { WriteFields(item, json); };
  json.Field("store", request.store_path);
  json.Field("docs", report.store.docs);
  json.Field("chunks", report.store.chunks);
  json.Field("embedder", report.embedder);
  json.Object("settings", [&] {
    json.Field("k", request.search.k);
    json.Field("budget_tokens", request.budget_tokens);
    json.Field("token_counter",
               request.token_counter == kWordsCounter ? "whitespace" : request.token_counter);
    json.Field("rounds", request.rounds);
    json.Field("exact", request.search.exact);
    json.Field("filter", request.search.scope.filter);
  });
  json.Object("questions", [&] { WriteQuestions(report, request, json); });
  json.Objects("latencies", report.latencies, fields);
  if (request.cold) {
    const auto& kept = report.kept_share;
    json.Field("kept_share", kept ? std::optional(Share(*kept)) : std::nullopt);
  }
  json.Objects("throughputs", report.throughputs, fields);
  json.Objects("recalls", report.recalls, fields);
  if (report.ingest) {
    json.Object("ingest", [&] { WriteFields(*report.ingest, json); });
  } else {
    json.Field("ingest", nullptr);
  }
}

std::string FormatBenchReport(const BenchReport& report, const BenchRequest& request, bool stable,
                              size_t columns) {
  std::string text = BenchHead(report, request) + "\n";
  for (const TextTable& table :
       {LatencyTable(report.latencies, stable), ThroughputTable(report.throughputs, stable),
        RecallTable(report.recalls)}) {
    if (!table.rows.empty()) text += "\n" + FormatTable(table, columns);
  }
  if (!report.ingest) return text;
  text += "\n";
  for (const std::string& line : IngestLines(*report.ingest, stable)) text += line + "\n";
  return text;
}

}  // namespace recall
