// Vector search with IVF lists, compared with one on the same store that scans all sign codes; and
// what lists cost: training the centroids, and assigning vectors to lists. An iteration of a search
// is a query, of twenty in turns.

#include <atomic>

#include "bench/micro/micro.h"
#include "bench/micro/vector_store.h"
#include "index/search/vector/ivf_training.h"
#include "index/search/vector/vector_index.h"
#include "tests/index/search/vector/search_vectors.h"

namespace recall {
namespace {

constexpr size_t kListHits = 10;

void SearchLists(benchmark::State& state, bool lists) {
  const VectorStore& store = VectorStore::With(VectorRows::kLists);
  std::vector<VectorQuery> queries = store.queries();
  if (!lists) {
    for (VectorQuery& query : queries) query.lists.clear();
  }
  static const std::vector<std::vector<RetrieverHit>> nearest = [&] {
    std::vector<std::vector<RetrieverHit>> exact;
    for (VectorQuery query : store.queries()) {
      query.lists.clear();
      exact.push_back(
          Get(SearchVectors(store.columns(), query, {}, {.k = kListHits, .exact = true})));
    }
    return exact;
  }();
  double recall = 0, scanned = 0;
  for (size_t i = 0; i < queries.size(); ++i) {
    VectorSearchStats stats;
    const auto hits = Get(SearchVectors(store.columns(), queries[i], {}, {.k = kListHits}, &stats));
    recall += ShareFound(hits, nearest[i]);
    scanned += static_cast<double>(stats.scanned);
  }
  recall /= static_cast<double>(queries.size());
  Check(recall >= 0.9, "recall@10 is " + std::to_string(recall));
  size_t turn = 0;
  const KernelCounts counts(state);
  for (auto _ : state) {
    const VectorQuery& query = queries[turn++ % queries.size()];
    benchmark::DoNotOptimize(Get(SearchVectors(store.columns(), query, {}, {.k = kListHits})));
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["recall_10"] = recall;
  state.counters["sign_codes"] = scanned / static_cast<double>(queries.size());
}
BENCHMARK_CAPTURE(SearchLists, all, false)
    ->Name("ivf/search_all_sign_codes")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(SearchLists, probed, true)
    ->Name("ivf/search_probed_lists")
    ->Unit(benchmark::kMicrosecond);

void PrepareQuery(benchmark::State& state) {
  const VectorStore& store = VectorStore::With(VectorRows::kLists);
  const std::vector<float> vector = BenchVectors(2).Next();
  const KernelCounts counts(state);
  for (auto _ : state) benchmark::DoNotOptimize(store.space().PrepareQuery(vector));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(PrepareQuery)->Name("ivf/prepare_query")->Unit(benchmark::kMicrosecond);

void TrainLists(benchmark::State& state) {
  const VectorSpace space(kBenchDim, StoreSettings().signature_seed);
  static const std::vector<QuantizedVector> sample = TrainingSample(space);
  const std::atomic<bool> go_on = false;
  const KernelCounts counts(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(Get(TrainCoarseQuantizer(sample, space, {.threads = 1}, &go_on)));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(sample.size()));
}
BENCHMARK(TrainLists)->Name("ivf/train")->Unit(benchmark::kMillisecond);

// Quantising a vector for a store, with and without choosing its list.
void QuantizeVector(benchmark::State& state, bool lists) {
  const VectorSpace undivided(kBenchDim, StoreSettings().signature_seed);
  const VectorSpace& space = lists ? VectorStore::With(VectorRows::kLists).space() : undivided;
  BenchVectors source(4);
  std::vector<std::vector<float>> vectors(1000);
  for (std::vector<float>& vector : vectors) vector = source.Next();
  size_t turn = 0;
  const KernelCounts counts(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(space.Quantize(vectors[turn++ % vectors.size()]));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(QuantizeVector, alone, false)->Name("ivf/quantize");
BENCHMARK_CAPTURE(QuantizeVector, lists, true)->Name("ivf/quantize_and_assign");

}  // namespace
}  // namespace recall
