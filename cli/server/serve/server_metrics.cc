#include "cli/server/serve/server_metrics.h"

#include <algorithm>
#include <utility>

namespace recall {
namespace {

// Microseconds as seconds: "0.0025", "1".
std::string Seconds(int64_t micros) {
  std::string text = std::to_string(micros / 1'000'000);
  std::string fraction = std::to_string(1'000'000 + micros % 1'000'000).substr(1);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return fraction.empty() ? text : text + "." + fraction;
}

// A name of a store is the user's.
std::string LabelValue(std::string_view text) {
  std::string value;
  for (const char c : text) {
    if (c == '\n') {
      value += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') value += '\\';
    value += c;
  }
  return value;
}

void Describe(const char* name, const char* type, const char* help, std::string* out) {
  *out += std::string("# HELP ") + name + " " + help + "\n# TYPE " + name + " " + type + "\n";
}

// Stores without the figure are left out.
template <typename Figure>
void PrintGauges(const char* name, const char* help, const std::vector<StoreFigures>& stores,
                 Figure StoreFigures::*figure, std::string* out) {
  Describe(name, "gauge", help, out);
  for (const StoreFigures& store : stores) {
    const std::optional<int64_t> value = store.*figure;
    if (!value) continue;
    *out += std::string(name) + "{store=\"" + LabelValue(store.name) + "\"} " +
            std::to_string(*value) + "\n";
  }
}

}  // namespace

const std::array<int64_t, ServerMetrics::kBuckets> ServerMetrics::kBounds = {
    100,    250,     500,     1'000,   2'500,     5'000,     10'000,    25'000,
    50'000, 100'000, 250'000, 500'000, 1'000'000, 2'500'000, 5'000'000, 10'000'000};

void ServerMetrics::Histogram::Add(int64_t micros) {
  const auto bucket = std::ranges::lower_bound(kBounds, micros);
  if (bucket != kBounds.end()) ++counts[bucket - kBounds.begin()];
  ++total;
  sum_micros += micros;
}

void ServerMetrics::CountRequest(std::string_view route, int status, int64_t micros) {
  const std::lock_guard lock(mutex_);
  ++requests_[{std::string(route), status / 100}];
  request_times_[std::string(route)].Add(micros);
}

void ServerMetrics::CountStage(std::string_view stage, int64_t micros) {
  const std::lock_guard lock(mutex_);
  const auto found = stage_times_.find(stage);
  Histogram& times = found != stage_times_.end() ? found->second : stage_times_[std::string(stage)];
  times.Add(micros);
}

void ServerMetrics::PrintHistograms(const char* name, const char* help, const char* label,
                                    const Histograms& histograms, std::string* out) {
  Describe(name, "histogram", help, out);
  for (const auto& [value, histogram] : histograms) {
    const std::string labels = std::string(label) + "=\"" + value + "\"";
    const auto bucket = [&](const std::string& bound, uint64_t count) {
      *out += std::string(name) + "_bucket{" + labels + ",le=\"" + bound + "\"} " +
              std::to_string(count) + "\n";
    };
    uint64_t up_to = 0;
    for (size_t i = 0; i < kBuckets; ++i) {
      up_to += histogram.counts[i];
      bucket(Seconds(kBounds[i]), up_to);
    }
    bucket("+Inf", histogram.total);
    *out += std::string(name) + "_sum{" + labels + "} " + Seconds(histogram.sum_micros) + "\n";
    *out += std::string(name) + "_count{" + labels + "} " + std::to_string(histogram.total) + "\n";
  }
}

std::string ServerMetrics::Print(const std::vector<StoreFigures>& stores, AnswerCache::Uses cache,
                                 int64_t uptime_micros) const {
  std::string out;
  const std::lock_guard lock(mutex_);
  Describe("recall_requests_total", "counter", "Requests that were answered.", &out);
  for (const auto& [key, count] : requests_) {
    out += "recall_requests_total{route=\"" + key.first + "\",status=\"" +
           std::to_string(key.second) + "xx\"} " + std::to_string(count) + "\n";
  }
  PrintHistograms("recall_request_seconds", "Time to answer a request.", "route", request_times_,
                  &out);
  PrintHistograms("recall_stage_seconds", "Time of a stage of a search.", "stage", stage_times_,
                  &out);
  Describe("recall_cache_requests_total", "counter", "Searches by what the query cache had.", &out);
  out += "recall_cache_requests_total{outcome=\"hit\"} " + std::to_string(cache.hits) + "\n";
  out += "recall_cache_requests_total{outcome=\"miss\"} " + std::to_string(cache.misses) + "\n";
  Describe("recall_uptime_seconds", "gauge", "Time since the server was started.", &out);
  out += "recall_uptime_seconds " + Seconds(uptime_micros) + "\n";
  PrintGauges("recall_store_documents", "Documents of a store.", stores, &StoreFigures::documents,
              &out);
  PrintGauges("recall_store_chunks", "Chunks of a store.", stores, &StoreFigures::chunks, &out);
  PrintGauges("recall_store_bytes", "Size of the file of a store.", stores, &StoreFigures::bytes,
              &out);
  return out;
}

}  // namespace recall
