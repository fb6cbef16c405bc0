// Vector searches with a filter, which should never be slower than those without one
// (filtered_scan/unfiltered), and at 1 % ten times faster than an exact search of all vectors
// (filtered_scan/all_exactly). An iteration is a query, of twenty in turns: caches are warm.

#include "bench/micro/micro.h"
#include "bench/micro/vector_store.h"
#include "index/search/vector/vector_index.h"
#include "tests/index/search/vector/search_vectors.h"

namespace recall {
namespace {

constexpr uint32_t kDocumentRows = 10;

enum Shape : int64_t { kSingleRows, kDocuments, kOneRange };  // documents: of ten rows

// Selects row numbers pseudo-randomly and evenly, by a hash of the number (splitmix64).
bool Chosen(uint64_t number, double share) {
  uint64_t x = number * 0x9e3779b97f4a7c15 + 0x1234567;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return static_cast<double>((x ^ x >> 31) >> 11) < share * 9007199254740992.0;
}

Bitmap ChosenRows(Shape shape, uint32_t rows, double share) {
  Bitmap chunks;
  if (shape == kOneRange) {
    const auto length = static_cast<uint32_t>(share * rows);
    chunks.AddRange((rows - length) / 3, (rows - length) / 3 + length - 1);
    return chunks;
  }
  const uint32_t step = shape == kDocuments ? kDocumentRows : 1;
  for (uint32_t row = 0; row < rows; row += step) {
    if (Chosen(row, share)) chunks.AddRange(row, row + step - 1);
  }
  return chunks;
}

void SearchInTurns(benchmark::State& state, const VectorStore& store, const ChunkFilter& filter,
                   const VectorSearchOptions& options) {
  size_t turn = 0;
  const KernelCounts counts(state);
  for (auto _ : state) {
    const VectorQuery& query = store.queries()[turn++ % store.queries().size()];
    benchmark::DoNotOptimize(Get(SearchVectors(store.columns(), query, filter, options)));
  }
  state.SetItemsProcessed(state.iterations());
}

void Filtered(benchmark::State& state, Shape shape, VectorRows rows) {
  const VectorStore& store = VectorStore::With(rows);
  const Bitmap allowed = ChosenRows(shape, store.columns().segments().back().max_chunk + 1,
                                    static_cast<double>(state.range(0)) / 1000);
  const ChunkFilter filter{.allowed = &allowed, .removed = nullptr};
  const VectorSearchOptions options{.k = static_cast<size_t>(state.range(1))};
  double recall = 0;
  for (const VectorQuery& query : store.queries()) {
    const auto right =
        Get(SearchVectors(store.columns(), query, filter, {.k = options.k, .exact = true}));
    recall += ShareFound(Get(SearchVectors(store.columns(), query, filter, options)), right);
  }
  recall /= static_cast<double>(store.queries().size());
  // Of a thousand neighbours a shortlist of the same length misses many.
  Check(options.k > 10 || recall >= 0.95, "recall is " + std::to_string(recall));
  SearchInTurns(state, store, filter, options);
  state.counters["vectors"] = static_cast<double>(allowed.Count());
  state.counters["recall"] = recall;
}

void Shares(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"permille", "k"})->Unit(benchmark::kMicrosecond);
  for (const int64_t k : {10, 1000}) {
    for (const int64_t permille : {1000, 500, 100, 30, 20, 10, 1}) bench->Args({permille, k});
  }
}
BENCHMARK_CAPTURE(Filtered, rows, kSingleRows, VectorRows::kDense)
    ->Name("filtered_scan/single_rows")
    ->Apply(Shares);
BENCHMARK_CAPTURE(Filtered, documents, kDocuments, VectorRows::kDense)
    ->Name("filtered_scan/documents")
    ->Apply(Shares);
BENCHMARK_CAPTURE(Filtered, range, kOneRange, VectorRows::kDense)
    ->Name("filtered_scan/one_range")
    ->Apply(Shares);
// The store lacks the rows of removed documents, so chunk rowids must be looked up.
BENCHMARK_CAPTURE(Filtered, holes, kSingleRows, VectorRows::kHoles)
    ->Name("filtered_scan/single_rows_with_holes")
    ->Apply(Shares);

void Unfiltered(benchmark::State& state, bool exact) {
  SearchInTurns(state, VectorStore::With(VectorRows::kDense), {},
                {.k = static_cast<size_t>(state.range(0)), .exact = exact});
}
BENCHMARK_CAPTURE(Unfiltered, fast, false)
    ->Name("filtered_scan/unfiltered")
    ->ArgName("k")
    ->Arg(10)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Unfiltered, exact, true)
    ->Name("filtered_scan/all_exactly")
    ->ArgName("k")
    ->Arg(10)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace recall
