#include "cli/output/bench_output.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/output/text_output.h"
#include "cli/output/text_table.h"

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
// What is printed of a figure that no clock tells more exactly.
double Tenths(double value) { return Rounded(value, 0.1); }

Json ToJson(const BenchLatency& latency) {
  return {{"what", BenchKindName(latency.kind)},
          {"cache", latency.cold ? "cold" : "warm"},
          {"asked", latency.asked},
          {"results", latency.results},
          {"ms",
           {{"least", Millis(latency.least_micros)},
            {"p50", Millis(latency.p50_micros)},
            {"p90", Millis(latency.p90_micros)},
            {"p99", Millis(latency.p99_micros)},
            {"max", Millis(latency.max_micros)}}}};
}

Json ToJson(const BenchThroughput& throughput) {
  return {{"what", BenchKindName(throughput.kind)},
          {"by", throughput.processes ? "processes" : "threads"},
          {"workers", throughput.workers},
          {"asked", throughput.asked},
          {"ms", Millis(throughput.micros)},
          {"per_second", Tenths(PerSecond(throughput.asked, throughput.micros))}};
}

Json ToJson(const BenchRecall& recall) {
  const auto share = [&](double value) {
    return recall.asked > 0 ? Json(Rounded(value, 1e-6)) : Json(nullptr);
  };
  return {{"of", recall.by_chunks ? "chunks" : "questions"},
          {"asked", recall.asked},
          {"exact_already", recall.exact_already},
          {"at_10", share(recall.at_10)},
          {"k", recall.k},
          {"at_k", share(recall.at_k)}};
}

Json ToJson(const BenchIngest& ingest) {
  const AddReport& first = ingest.first;
  return {{"found", first.found},
          {"added", first.added},
          {"skipped", first.skipped},
          {"failed", first.failed},
          {"chunks", first.chunks},
          {"bytes", first.bytes},
          {"again_unchanged", ingest.again_unchanged},
          {"ms", Millis(ingest.micros)},
          {"mb_per_second", Tenths(PerSecond(first.bytes, ingest.micros) / 1e6)},
          {"files_per_second", Tenths(PerSecond(first.found, ingest.micros))},
          {"again_ms", Millis(ingest.again_micros)},
          {"again_files_per_second", Tenths(PerSecond(first.found, ingest.again_micros))},
          {"store_bytes", ingest.store_bytes},
          {"peak_memory_bytes", ingest.peak_memory_bytes}};
}

template <typename T>
Json ListOf(const std::vector<T>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(ToJson(item));
  return list;
}

Json QuestionsJson(const BenchReport& report, const BenchRequest& request) {
  const bool sampled = request.questions_file.empty();
  Json json = {{"source", sampled ? "sampled" : "file"}, {"count", report.questions}};
  if (sampled) json["seed"] = request.seed;
  if (sampled) json["texts"] = report.sampled;
  if (!sampled) json["file"] = request.questions_file;
  if (!request.rql_file.empty()) {
    json["rql"] = {{"file", request.rql_file}, {"count", report.rql_queries}};
  }
  return json;
}

// ---- Text -------------------------------------------------------------------------------------

using BenchRow = std::vector<std::string>;

std::string Ms(int64_t micros) { return Decimal(Millis(micros), 3); }

std::string HeadText(const BenchReport& report, const BenchRequest& request) {
  std::string text = Plural(report.store.chunks, "chunk") + " of " +
                     Plural(report.store.docs, "document") + ", vectors of " + report.embedder;
  if (report.questions > 0) {
    text += "; " + Plural(report.questions, "question");
    text += request.questions_file.empty() ? " sampled with seed " + std::to_string(request.seed)
                                           : " of " + request.questions_file;
    text += ", k " + std::to_string(request.search.k);
  }
  return text + "\n";
}

std::string LatencyTable(const std::vector<BenchLatency>& latencies, bool stable) {
  if (latencies.empty()) return "";
  std::vector<BenchRow> rows = {{"ms", "cache", "asked", "results"}};
  if (!stable) rows[0].insert(rows[0].end(), {"least", "p50", "p90", "p99", "max"});
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
  return "\n" + FormatTable(rows, right);
}

std::string ThroughputTable(const std::vector<BenchThroughput>& throughputs, bool stable) {
  if (throughputs.empty()) return "";
  std::vector<BenchRow> rows = {{"at a time", "workers", "asked"}};
  if (!stable) rows[0].insert(rows[0].end(), {"a second"});
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
  return "\n" + FormatTable(rows, right);
}

std::string RecallTable(const std::vector<BenchRecall>& recalls) {
  if (recalls.empty()) return "";
  const std::string k = std::to_string(recalls.front().k);
  std::vector<BenchRow> rows = {{"recall of the vector leg", "asked", "exact already", "@10"}};
  if (k != "10") rows[0].push_back("@" + k);
  for (const BenchRecall& recall : recalls) {
    const auto share = [&](double value) { return recall.asked > 0 ? Decimal(value, 4) : "-"; };
    BenchRow row = {recall.by_chunks ? "by chunks of the store" : "by questions",
                    std::to_string(recall.asked), std::to_string(recall.exact_already),
                    share(recall.at_10)};
    if (k != "10") row.push_back(share(recall.at_k));
    rows.push_back(std::move(row));
  }
  std::vector<bool> right(rows[0].size(), true);
  right[0] = false;
  return "\n" + FormatTable(rows, right);
}

std::string IngestText(const BenchIngest& ingest, bool stable) {
  const AddReport& first = ingest.first;
  std::string text = "\ningest: " + Plural(first.found, "file") + " found, " +
                     std::to_string(first.added) + " added, " + std::to_string(first.skipped) +
                     " skipped, " + std::to_string(first.failed) + " failed, " +
                     FormatBytes(first.bytes) + " of text, " + Plural(first.chunks, "chunk") +
                     "; then " + std::to_string(ingest.again_unchanged) + " unchanged\n";
  if (stable) return text;
  return text + "ingest: " + Decimal(PerSecond(first.bytes, ingest.micros) / 1e6, 1) + " MB/s, " +
         Decimal(PerSecond(first.found, ingest.micros), 0) + " files/s; unchanged " +
         Decimal(PerSecond(first.found, ingest.again_micros), 0) + " files/s; store " +
         FormatBytes(ingest.store_bytes) + ", peak memory " +
         FormatBytes(ingest.peak_memory_bytes) + "\n";
}

}  // namespace

Json ToJson(const BenchReport& report, const BenchRequest& request) {
  Json json = {{"store", request.store_path},
               {"docs", report.store.docs},
               {"chunks", report.store.chunks},
               {"embedder", report.embedder},
               {"settings",
                {{"k", request.search.k},
                 {"budget_tokens", request.budget_tokens},
                 {"rounds", request.rounds},
                 {"exact", request.search.exact},
                 {"filter", request.search.scope.filter}}},
               {"questions", QuestionsJson(report, request)},
               {"latencies", ListOf(report.latencies)}};
  if (request.cold) {
    json["kept_share"] =
        report.kept_share ? Json(Rounded(*report.kept_share, 1e-6)) : Json(nullptr);
  }
  json["throughputs"] = ListOf(report.throughputs);
  json["recalls"] = ListOf(report.recalls);
  json["ingest"] = report.ingest ? ToJson(*report.ingest) : Json(nullptr);
  return json;
}

std::string FormatBenchReport(const BenchReport& report, const BenchRequest& request, bool stable) {
  return HeadText(report, request) + LatencyTable(report.latencies, stable) +
         ThroughputTable(report.throughputs, stable) + RecallTable(report.recalls) +
         (report.ingest ? IngestText(*report.ingest, stable) : "");
}

}  // namespace recall
