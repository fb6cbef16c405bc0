// Warm and cold query latencies, measured in child processes (measuring_child.h).
//
//   warm   one child: open, ask all once (fills caches, counts results), then `rounds` x all, timed
//   cold   per question: drop the store's pages from the page cache, then a new child:
//          |<------------ timed ------------>|
//           open the store   ask one question
//
// The child takes the time itself, so starting the process and passing the result through the pipe
// are not measured. The clock is monotonic, in microseconds. All times are kept and sorted, so
// percentiles are exact observed values (nearest rank), without interpolation or buckets.
//
// Cold includes opening the store, because a command-line call pays for it as well. Dropping pages
// is only advice to the kernel. The share of pages that stayed is measured and reported, so that a
// result that is not cold can be recognised.

#include "query/measure/bench/latency.h"

#include <algorithm>
#include <utility>

#include "query/measure/bench/measuring_child.h"
#include "query/measure/bench/page_cache.h"
#include "query/measure/bench/wire.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

int64_t NearestRank(const std::vector<int64_t>& sorted, size_t percent) {
  const size_t rank = (percent * sorted.size() + 99) / 100;
  return sorted[std::max<size_t>(rank, 1) - 1];
}

// The shortest time of each query, which other work on the machine disturbs least. Requires:
// `micros` contains `queries` times for each of the rounds, at least one.
std::vector<int64_t> LeastOfRounds(const std::vector<int64_t>& micros, size_t queries) {
  std::vector<int64_t> least(micros.begin(), micros.begin() + static_cast<ptrdiff_t>(queries));
  for (size_t i = queries; i < micros.size(); ++i) {
    least[i % queries] = std::min(least[i % queries], micros[i]);
  }
  return least;
}

// Runs in the child. Output: the number of results of one round, then all times.
Result<std::string> AskInRounds(const BenchRequest& request, const Questions& questions,
                                BenchKind kind) {
  RECALL_ASSIGN(const auto asker, Asker::Open(request, questions, kind));
  int64_t results = 0;
  for (size_t i = 0; i < asker->size(); ++i) {
    RECALL_ASSIGN(const int64_t found, asker->Ask(i));
    results += found;
  }
  WireWriter out;
  out.Put(results);
  for (size_t round = 0; round < request.rounds; ++round) {
    for (size_t i = 0; i < asker->size(); ++i) {
      const int64_t start = SteadyMicros();
      RECALL_ASSIGN(const int64_t found, asker->Ask(i));
      out.Put(SteadyMicros() - start);
      // Another process may change the store; the reported number is that of the first round.
      static_cast<void>(found);
    }
  }
  return out.Take();
}

Result<std::string> OpenAndAsk(const BenchRequest& request, const Questions& questions,
                               BenchKind kind, size_t i) {
  const int64_t start = SteadyMicros();
  RECALL_ASSIGN(const auto asker, Asker::Open(request, questions, kind));
  RECALL_ASSIGN(const int64_t results, asker->Ask(i));
  WireWriter out;
  out.Put(results);
  out.Put(SteadyMicros() - start);
  return out.Take();
}

}  // namespace

BenchLatency SummarizeLatencies(std::vector<int64_t> micros) {
  std::ranges::sort(micros);
  BenchLatency latency;
  latency.asked = static_cast<int64_t>(micros.size());
  latency.least_micros = micros.front();
  latency.p50_micros = NearestRank(micros, 50);
  latency.p90_micros = NearestRank(micros, 90);
  latency.p99_micros = NearestRank(micros, 99);
  latency.max_micros = micros.back();
  return latency;
}

Result<BenchLatency> MeasureWarm(const BenchRequest& request, const Questions& questions,
                                 BenchKind kind, const std::atomic<bool>& cancel) {
  RECALL_ASSIGN(const auto outcome,
                MeasuringChild::Run([&] { return AskInRounds(request, questions, kind); }, cancel));
  WireReader in(outcome.bytes);
  const int64_t results = in.Next();
  std::vector<int64_t> micros(questions.Of(kind).size() * request.rounds);
  for (int64_t& time : micros) time = in.Next();
  BenchLatency latency = SummarizeLatencies(micros);
  latency.query_micros = LeastOfRounds(micros, questions.Of(kind).size());
  latency.kind = kind;
  latency.results = results;
  return latency;
}

Result<BenchLatency> MeasureCold(const BenchRequest& request, const Questions& questions,
                                 BenchKind kind, const std::atomic<bool>& cancel,
                                 std::optional<double>* kept_share) {
  std::vector<int64_t> micros;
  int64_t results = 0;
  for (size_t i = 0; i < questions.Of(kind).size(); ++i) {
    RECALL_TRY(DropFromPageCache(request.store_path));
    if (const auto share = ShareInPageCache(request.store_path)) {
      *kept_share = std::max(kept_share->value_or(0), *share);
    }
    RECALL_ASSIGN(
        const auto outcome,
        MeasuringChild::Run([&] { return OpenAndAsk(request, questions, kind, i); }, cancel));
    WireReader in(outcome.bytes);
    results += in.Next();
    micros.push_back(in.Next());
  }
  BenchLatency latency = SummarizeLatencies(micros);
  latency.query_micros = std::move(micros);
  latency.kind = kind;
  latency.cold = true;
  latency.results = results;
  return latency;
}

}  // namespace recall
