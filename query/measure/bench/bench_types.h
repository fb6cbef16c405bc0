#pragma once

// What a benchmark of a store is asked and what it answers. query/measure/bench/bench.h is where to
// ask.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/types/search_types.h"
#include "query/types/store_types.h"

namespace recall {

// Says what is done now. Called from the calling thread.
using BenchProgressFn = std::function<void(std::string_view doing)>;

// What is asked of the store, in the order of all reports.
enum class BenchKind : uint8_t { kSearch, kBm25, kVector, kQuery, kContext };
inline constexpr std::array<BenchKind, 5> kBenchKinds = {BenchKind::kSearch, BenchKind::kBm25,
                                                         BenchKind::kVector, BenchKind::kQuery,
                                                         BenchKind::kContext};
std::string_view BenchKindName(BenchKind kind);  // "search", "bm25", "vector", "query", "context"

struct BenchRequest {
  std::string store_path;
  OpenOptions open;  // read_only is the benchmark's
  // What to ask; empty: nothing, which leaves recall and ingest.
  std::vector<BenchKind> kinds = {kBenchKinds.begin(), kBenchKinds.end()};

  // A file of questions, one a line; "-" is standard input. Empty: `samples` of the store's own
  // texts, at most as many as it has different ones.
  std::string questions_file;
  size_t samples = 100;
  uint64_t seed = 42;
  // A file of RQL queries, one a line, instead of those made of the questions.
  std::string rql_file;
  size_t rounds = 3;  // how often all are asked, after a first time that does not count

  // How every question is asked; text, offset and mode are the benchmark's. The filter applies to
  // everything but the queries of rql_file, and chooses the texts that are sampled.
  SearchRequest search;
  int64_t budget_tokens = 1200;  // of contexts

  bool cold = false;       // also with nothing of the store in the page cache
  uint32_t threads = 0;    // also so many threads at a time; 0: do not
  uint32_t processes = 0;  // likewise
  bool recall = false;     // also what the vector retriever's shortlist misses

  // Files or directories, added to an empty store of the same settings. Empty: nothing.
  std::vector<std::string> ingest;
  uint32_t ingest_threads = 0;  // 0: one per core
};

// Percentiles are by nearest rank: the p-th of n is the ceil(p * n / 100)-th smallest.
struct BenchLatency {
  BenchKind kind = BenchKind::kSearch;
  bool cold = false;    // each in a new process that opens the store, which counts
  int64_t asked = 0;    // measured
  int64_t results = 0;  // hits, rows or pieces that asking all of them once gives
  int64_t least_micros = 0;
  int64_t p50_micros = 0;
  int64_t p90_micros = 0;
  int64_t p99_micros = 0;
  int64_t max_micros = 0;
};

struct BenchThroughput {
  BenchKind kind = BenchKind::kSearch;
  bool processes = false;  // else threads of one process, each with a handle of its own
  int64_t workers = 1;     // each asks everything once
  int64_t asked = 0;
  int64_t micros = 0;  // from the first question's start to the last one's end
};

// Which of the exact scan's best k the vector retriever has among its own, over all questions. What
// scores as much as the k-th counts as well as that does.
struct BenchRecall {
  bool by_chunks = false;  // asked with whole chunks of the store; else with the questions
  int64_t asked = 0;
  int64_t exact_already = 0;  // of these, answered by scoring everything without being told to
  double at_10 = 0;           // in [0, 1]
  size_t k = 10;
  double at_k = 0;
};

struct BenchIngest {
  AddReport first;
  int64_t micros = 0;
  int64_t again_micros = 0;     // adding the same once more
  int64_t again_unchanged = 0;  // what it found as it was
  int64_t store_bytes = 0;
  int64_t peak_memory_bytes = 0;  // of the process that did both
};

struct BenchReport {
  StoreSummary store;
  std::string embedder;
  std::vector<std::string> sampled;  // the questions, unless they are from a file
  int64_t questions = 0;
  int64_t rql_queries = 0;  // of rql_file
  std::vector<BenchLatency> latencies;
  // The largest share of the store's pages that were in the page cache although they had just been
  // dropped; unset when nothing was dropped, or the system does not tell.
  std::optional<double> kept_share;
  std::vector<BenchThroughput> throughputs;
  std::vector<BenchRecall> recalls;
  std::optional<BenchIngest> ingest;
  std::vector<std::string> warnings;
};

}  // namespace recall
