// Compares, in turns, a vector search that probes IVF lists with one on the same store that scans
// all sign codes, and both with the exact scan. Also measures the cost of IVF: training the
// centroids, and assigning each vector to a list.
//
// ivf_bench [VECTORS]   1,000,000 vectors of 256 dimensions by default
//
// The store (10,000,000 vectors: 3 GB) stays in the temporary directory for the next run; --small
// uses a temporary store.

#include <array>
#include <atomic>
#include <set>

#include "bench/bench_util.h"
#include "bench/vector_bench_store.h"
#include "index/search/vector/ivf_training.h"
#include "index/search/vector/vector_index.h"
#include "storage/base/bytes.h"
#include "storage/base/fixed_tasks.h"
#include "storage/tables/model_table.h"
#include "tests/index/search/vector/search_vectors.h"

namespace recall {
namespace {

constexpr uint32_t kQueries = 20;
constexpr size_t kHits = 10;
constexpr uint32_t kSample = 20'000;

struct Cost {
  double training = 0;    // seconds
  double quantising = 0;  // of all vectors, without assigning lists
  double assigning = 0;   // additional time to assign the lists
  double writing = 0;
};

class ListStore final {
 public:
  ListStore(const BenchArgs& args, uint32_t vectors) {
    const std::string name = "recall-cells-bench-2-" + std::to_string(vectors) + ".db";
    const std::string path = args.small ? scratch_.path() + "/recall.db"
                                        : (std::filesystem::temp_directory_path() / name).string();
    if (!std::filesystem::exists(path)) {
      const std::string unfinished = scratch_.path() + "/unfinished.db";
      Build(unfinished, vectors, args.threads);
      std::filesystem::rename(unfinished, path);
    }
    store_ = Get(Store::Open(path));
    read_ = Get(store_->BeginRead());
    Use(*Get(StoredModels(read_->connection()).ReadPart(1, kCoarseQuantizerPart)));
    columns_ = Get(ChunkColumns::Open(*read_, space_));
  }

  const VectorSpace& space() const { return space_; }
  const ChunkColumns& columns() const { return *columns_; }

 private:
  void Use(std::string lists) {
    auto quantizer = Get(CoarseQuantizer::Open(std::move(lists)));
    space_ = VectorSpace(space_, std::make_shared<const CoarseQuantizer>(std::move(quantizer)));
  }

  void Train(Store& store, Cost* cost) {
    BenchVectors source(3);
    std::vector<QuantizedVector> sample;
    for (uint32_t i = 0; i < kSample; ++i) sample.push_back(space_.Quantize(source.Next()));
    const std::atomic<bool> go_on = false;
    const double start = Now();
    const auto lists = Get(TrainCoarseQuantizer(sample, space_, {.threads = threads_}, &go_on));
    cost->training = Now() - start;
    const auto write = Get(store.BeginWrite());
    Get(InsertModel(write->connection(),
                    {.since = write->counts().commit_sequence + 1, .chunks = kSample},
                    {{std::string(kCoarseQuantizerPart), lists.bytes()}}));
    Must(write->Commit());
    Use(lists.bytes());
  }

  // Quantises `from` for `space` into `to`. Returns: seconds.
  double Quantize(const VectorSpace& space, const std::vector<std::vector<float>>& from,
                  std::vector<ChunkVector>* to) const {
    constexpr size_t kTask = 256;
    const double start = Now();
    RunFixedTasks(threads_, from.size() / kTask + 1, nullptr, [&](size_t task) {
      for (size_t i = task * kTask; i < std::min(from.size(), (task + 1) * kTask); ++i) {
        (*to)[i].vector = space.Quantize(from[i]);
      }
    });
    return Now() - start;
  }

  void Build(const std::string& path, uint32_t count, uint32_t threads) {
    threads_ = threads;
    StoreSettings settings;
    settings.dim = kBenchDim;
    const auto store = Get(Store::Create(path, settings));
    Cost cost;
    Train(*store, &cost);
    const VectorSpace undivided(kBenchDim, settings.signature_seed);
    BenchVectors source(1);
    for (uint32_t done = 0; done < count;) {
      const uint32_t batch = std::min(count - done, kMaxSegmentVectors);
      std::vector<std::vector<float>> made(batch);
      for (auto& vector : made) vector = source.Next();
      std::vector<ChunkVector> vectors(batch);
      const double without = Quantize(undivided, made, &vectors);
      cost.quantising += without;
      cost.assigning += Quantize(space_, made, &vectors) - without;
      const double start = Now();
      const auto write = Get(store->BeginWrite());
      uint32_t chunk = Get(write->AllocateChunkRows(batch));
      for (ChunkVector& vector : vectors) vector.chunk = chunk++;
      Must(AppendVectors(*write, space_, vectors));
      Must(write->Commit());
      cost.writing += Now() - start;
      done += batch;
    }
    std::printf(
        "built %u vectors with %u threads: IVF lists trained in %.2f s; quantised in %.2f s, "
        "assigned to lists in %.2f s, written in %.2f s\n",
        count, threads, cost.training, cost.quantising, cost.assigning, cost.writing);
  }

  VectorSpace space_{kBenchDim, StoreSettings().signature_seed};
  uint32_t threads_ = 1;
  ScratchDir scratch_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<ReadTransaction> read_;
  std::unique_ptr<ChunkColumns> columns_;
};

struct Measured {
  std::vector<double> seconds;
  std::vector<double> ratios;  // to the time of the first way, for the same query and round
  size_t found = 0;
  uint64_t scanned = 0;
};

size_t Common(const std::vector<RetrieverHit>& a, const std::vector<RetrieverHit>& b) {
  std::set<uint32_t> chunks;
  for (const RetrieverHit& hit : a) chunks.insert(hit.chunk);
  size_t common = 0;
  for (const RetrieverHit& hit : b) common += chunks.contains(hit.chunk);
  return common;
}

void Compare(const ListStore& store, const BenchArgs& args) {
  std::vector<VectorQuery> in_lists;
  BenchVectors source(2);
  for (uint32_t i = 0; i < kQueries; ++i) {
    in_lists.push_back(store.space().PrepareQuery(source.Next()));
  }
  std::vector<VectorQuery> everywhere = in_lists;
  for (VectorQuery& query : everywhere) query.lists.clear();
  std::vector<std::vector<RetrieverHit>> exact;
  for (const VectorQuery& query : everywhere) {
    exact.push_back(Get(SearchVectors(store.columns(), query, {}, {.k = kHits, .exact = true})));
  }
  std::array<Measured, 2> ways;
  const std::array<const std::vector<VectorQuery>*, 2> queries = {&everywhere, &in_lists};
  for (int round = 0; round < args.repeats; ++round) {
    for (size_t i = 0; i < kQueries; ++i) {
      for (size_t way = 0; way < ways.size(); ++way) {
        VectorSearchStats stats;
        const double start = Now();
        const auto hits =
            Get(SearchVectors(store.columns(), (*queries[way])[i], {}, {.k = kHits}, &stats));
        ways[way].seconds.push_back(Now() - start);
        ways[way].ratios.push_back(ways[way].seconds.back() / ways[0].seconds.back());
        ways[way].found += Common(hits, exact[i]);
        ways[way].scanned += stats.scanned;
      }
    }
  }
  std::printf("%-28s %9s %9s %9s %10s %12s\n", "1 thread", "ms", "least", "ratio", "recall@10",
              "signatures");
  for (size_t way = 0; way < ways.size(); ++way) {
    const double searches = static_cast<double>(ways[way].seconds.size());
    std::printf("%-28s %9.3f %9.3f %9.2f %10.4f %12.0f\n",
                way == 0 ? "all sign codes" : "those of the probed lists",
                Median(ways[way].seconds) * 1e3, std::ranges::min(ways[way].seconds) * 1e3,
                Median(ways[way].ratios), static_cast<double>(ways[way].found) / searches / kHits,
                static_cast<double>(ways[way].scanned) / searches);
  }
}

// Runs queries one after the other, as a long-lived process would. Only other queries evict the
// data of a query from the caches. The first turn is not counted.
void MeasureAlone(const ListStore& store, const BenchArgs& args) {
  constexpr int kTurns = 20;  // per repeat
  BenchVectors source(2);
  std::vector<std::vector<float>> questions(kQueries);
  for (std::vector<float>& question : questions) question = source.Next();
  std::vector<double> preparing, searching;
  for (int turn = 0; turn < kTurns * args.repeats; ++turn) {
    for (const std::vector<float>& question : questions) {
      const double start = Now();
      const VectorQuery query = store.space().PrepareQuery(question);
      const double prepared = Now();
      Get(SearchVectors(store.columns(), query, {}, {.k = kHits}));
      if (turn == 0) continue;
      preparing.push_back(prepared - start);
      searching.push_back(Now() - prepared);
    }
  }
  std::printf("nearest lists only: %.3f ms, and %.3f ms for preparing the query\n",
              Median(searching) * 1e3, Median(preparing) * 1e3);
}

int Main(int argc, char** argv) {
  const BenchArgs args = ParseBenchArgs(argc, argv);
  uint32_t vectors = args.small ? 30'000 : 1'000'000;
  if (!args.rest.empty()) vectors = static_cast<uint32_t>(std::atoi(args.rest[0].c_str()));
  const ListStore store(args, vectors);
  std::printf("%u vectors, %zu segments, %u IVF lists, %d x %u queries\n", vectors,
              store.columns().segments().size(), store.space().coarse_quantizer()->list_count(),
              args.repeats, kQueries);
  Compare(store, args);
  MeasureAlone(store, args);
  return 0;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) { return recall::Main(argc, argv); }
