#pragma once

// Requests and reports of benchmarks. query/measure/bench/bench.h contains the functions.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/types/add_types.h"
#include "query/types/context_types.h"
#include "query/types/open_types.h"
#include "query/types/search_types.h"

namespace recall {

// Receives a description of the current step. Called on the calling thread.
using BenchProgressFn = std::function<void(std::string_view doing)>;

// The kinds of queries, in the order of all reports.
enum class BenchKind : uint8_t { kSearch, kBm25, kVector, kQuery, kContext };
inline constexpr std::array<BenchKind, 5> kBenchKinds = {BenchKind::kSearch, BenchKind::kBm25,
                                                         BenchKind::kVector, BenchKind::kQuery,
                                                         BenchKind::kContext};
std::string_view BenchKindName(BenchKind kind);  // "search", "bm25", "vector", "query", "context"

struct BenchRequest {
  std::string store_path;
  OpenOptions open;  // read_only is ignored
  // The kinds of queries to measure. Empty: none, only recall and ingest if requested.
  std::vector<BenchKind> kinds = {kBenchKinds.begin(), kBenchKinds.end()};

  // A file of questions, one per line; "-" is standard input. Empty: `samples` different questions
  // are sampled from the texts of the store, or fewer if the texts do not contain more.
  std::string questions_file;
  size_t samples = 100;
  uint64_t seed = 42;
  // A file of RQL queries, one per line, instead of queries made from the questions.
  std::string rql_file;
  size_t rounds = 3;  // number of timed repetitions of all queries, after one warm-up

  // The options of every query; the benchmark sets text, offset and mode. The filter applies to all
  // queries except those of rql_file, and to the sampling of texts.
  SearchRequest search;
  int64_t budget_tokens = 1200;                               // budget of contexts
  std::string token_counter = std::string(kEstimateCounter);  // as in ContextRequest

  bool cold = false;       // also measure with the store dropped from the page cache
  uint32_t threads = 0;    // also measure this number of concurrent threads; 0: do not
  uint32_t processes = 0;  // also measure this number of concurrent processes; 0: do not
  bool recall = false;     // also measure the recall of the shortlist of the vector retriever

  // Files or directories that are added to an empty store with the same settings. Empty: none.
  std::vector<std::string> ingest;
  uint32_t ingest_threads = 0;  // 0: one per core
};

// Percentiles are by nearest rank: the p-th of n is the ceil(p * n / 100)-th smallest.
struct BenchLatency {
  BenchKind kind = BenchKind::kSearch;
  bool cold = false;    // each in a new process; opening the store is included
  int64_t asked = 0;    // number of timed queries
  int64_t results = 0;  // hits, rows or pieces of one round
  int64_t least_micros = 0;
  int64_t p50_micros = 0;
  int64_t p90_micros = 0;
  int64_t p99_micros = 0;
  int64_t max_micros = 0;
  // The time of each query, in the order of the queries: warm, the shortest of its rounds.
  std::vector<int64_t> query_micros;
};

struct BenchThroughput {
  BenchKind kind = BenchKind::kSearch;
  bool processes = false;  // else threads of one process, each with its own handle
  int64_t workers = 1;     // each asks all questions once
  int64_t asked = 0;
  int64_t micros = 0;  // from the start of the first query to the end of the last
};

// The share of the best k of an exact scan that the vector retriever returns among its best k, over
// all questions. A result with the same score as the k-th counts as a match.
struct BenchRecall {
  bool by_chunks = false;  // the queries are whole chunks of the store; else the questions
  int64_t asked = 0;
  int64_t exact_already = 0;  // queries that were answered exactly even without --exact
  double at_10 = 0;           // in [0, 1]
  size_t k = 10;
  double at_k = 0;
};

struct BenchIngest {
  AddReport first;
  int64_t micros = 0;
  int64_t again_micros = 0;     // time of adding the same files again
  int64_t again_unchanged = 0;  // documents that were unchanged then
  int64_t store_bytes = 0;
  int64_t peak_memory_bytes = 0;  // peak memory of the process that did both
};

struct BenchReport {
  StoreSummary store;
  std::string embedder;
  std::vector<std::string> sampled;  // the sampled questions; empty if they are from a file
  int64_t questions = 0;
  int64_t rql_queries = 0;  // number of queries of rql_file
  // SHA-256 of the questions and of the queries of rql_file, in hexadecimal digits; empty without
  // any.
  std::string questions_sha256;
  std::string rql_sha256;
  std::vector<BenchLatency> latencies;
  // The largest share of the pages of the store that were still in the page cache after they were
  // dropped; unset if nothing was dropped or the system does not report it.
  std::optional<double> kept_share;
  std::vector<BenchThroughput> throughputs;
  std::vector<BenchRecall> recalls;
  std::optional<BenchIngest> ingest;
  std::vector<std::string> warnings;
};

}  // namespace recall
