// Vector search in a store of one process, without filter and without IVF lists: the two scans,
// compared with a plain sum over the same mapped bytes; whole searches; and what shorter shortlists
// save and miss. An iteration is a query, of twenty in turns.

#include "index/search/vector/vector_scan.h"

#include "bench/micro/against_stream.h"
#include "bench/micro/micro.h"
#include "bench/micro/vector_store.h"
#include "tests/index/search/vector/search_vectors.h"

namespace recall {
namespace {

constexpr size_t kHits = 10;
constexpr size_t kDepth = 1000;
constexpr size_t kMostHits = 100;

uint64_t SumSection(const SectionView& view) {
  uint64_t sum = 0;
  for (uint32_t page = 0; page < view.pages(); ++page) {
    sum ^= SumWords(view.page(page), size_t{view.items_on_page(page)} * view.item_bytes());
  }
  return sum;
}

const std::vector<ScanSegment>& MappedSegments() {
  static const std::vector<ScanSegment> segments = [] {
    const VectorStore& store = VectorStore::With(VectorRows::kDense);
    std::vector<ScanSegment> opened;
    for (const ColumnSegment& segment : store.columns().segments()) {
      Check(segment.reader->mapped(), "a segment is not mapped");
      opened.push_back(
          {&segment, Get(OpenVectors(segment, store.space(), true)), VectorSelection(segment, {})});
      Must(opened.back().sections.vectors->NeedRange(0, segment.vectors));
    }
    return opened;
  }();
  return segments;
}

// `scan` takes a query.
template <typename Scan>
void ScanSections(benchmark::State& state, const SectionView* VectorSections::*section, Scan scan) {
  const std::vector<VectorQuery>& queries = VectorStore::With(VectorRows::kDense).queries();
  size_t bytes = 0;
  for (const ScanSegment& of : MappedSegments()) {
    const SectionView& view = *(of.sections.*section);
    bytes += size_t{view.items()} * view.item_bytes();
  }
  size_t turn = 0;
  AgainstStream(
      state, bytes, [&] { scan(queries[turn++ % queries.size()]); },
      [&] {
        uint64_t sum = 0;
        for (const ScanSegment& of : MappedSegments()) sum ^= SumSection(*(of.sections.*section));
        return sum;
      });
}

void ExactScan(benchmark::State& state) {
  ScanSections(state, &VectorSections::vectors, [](const VectorQuery& query) {
    TopK<float> best(kHits);
    for (const ScanSegment& of : MappedSegments()) {
      Must(ScanExact({&of, 0, of.segment->vectors}, query, &best));
    }
    benchmark::DoNotOptimize(best.Take().front().id);
  });
}
BENCHMARK(ExactScan)
    ->Name("vector_scan/exact_scan")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

void SignCodeSectionScan(benchmark::State& state) {
  ScanSections(state, &VectorSections::sign_codes, [](const VectorQuery& query) {
    Shortlist best(kDepth, MaxSignCodeScore(query));
    for (const ScanSegment& of : MappedSegments()) {
      Must(ScanSignCodes({&of, 0, of.segment->vectors}, query, &best));
    }
    benchmark::DoNotOptimize(best.Positions().front());
  });
}
BENCHMARK(SignCodeSectionScan)
    ->Name("vector_scan/sign_code_scan")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

void Search(benchmark::State& state, VectorSearchOptions options) {
  const VectorStore& store = VectorStore::With(VectorRows::kDense);
  options.k = kHits;
  options.threads = static_cast<size_t>(state.range(0));
  size_t turn = 0;
  const KernelCounts counts(state);
  for (auto _ : state) {
    const VectorQuery& query = store.queries()[turn++ % store.queries().size()];
    benchmark::DoNotOptimize(Get(SearchVectors(store.columns(), query, {}, options)));
  }
  state.SetItemsProcessed(state.iterations());
}
// More threads than one work beside the one whose processor time is taken.
void Threads(benchmark::internal::Benchmark* bench) {
  bench->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(Search, fast, VectorSearchOptions{})->Name("vector_scan/search")->Apply(Threads);
BENCHMARK_CAPTURE(Search, exact, VectorSearchOptions{.exact = true})
    ->Name("vector_scan/search_exactly")
    ->Apply(Threads);

// `depth` is the length of the shortlist; 0: the one that searches choose.
void SearchAtDepth(benchmark::State& state) {
  const VectorStore& store = VectorStore::With(VectorRows::kDense);
  static const auto nearest = store.Nearest(kMostHits);
  const auto depth = static_cast<size_t>(state.range(0));
  const VectorSearchOptions options{.k = kMostHits, .depth = depth, .most = depth};
  double recall_10 = 0, recall_100 = 0;
  for (size_t i = 0; i < nearest.size(); ++i) {
    auto hits = Get(SearchVectors(store.columns(), store.queries()[i], {}, options));
    recall_100 += ShareFound(hits, nearest[i]);
    hits.resize(std::min(hits.size(), kHits));
    recall_10 += ShareFound(hits, {nearest[i].begin(), nearest[i].begin() + kHits});
  }
  recall_10 /= static_cast<double>(nearest.size());
  Check(depth != 0 || recall_10 >= 0.95, "recall@10 is " + std::to_string(recall_10));
  size_t turn = 0;
  const KernelCounts counts(state);
  for (auto _ : state) {
    const VectorQuery& query = store.queries()[turn++ % nearest.size()];
    benchmark::DoNotOptimize(Get(SearchVectors(store.columns(), query, {}, options)));
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["recall_10"] = recall_10;
  state.counters["recall_100"] = recall_100 / static_cast<double>(nearest.size());
}
BENCHMARK(SearchAtDepth)
    ->Name("vector_scan/shortlist")
    ->ArgName("depth")
    ->Arg(200)
    ->Arg(500)
    ->Arg(1000)
    ->Arg(2000)
    ->Arg(0)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace recall
