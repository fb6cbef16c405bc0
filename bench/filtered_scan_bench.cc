// Compares a vector search with a filter with the same search without one, and with an exact search
// of all vectors. Each filtered search runs between two unfiltered ones, so that a busy machine
// slows both; the medians of the ratios are printed. Goals: never slower than the unfiltered
// search, at any selectivity; at 1 %, at least 10 times faster than the exact search of all
// vectors. A first part repeats searches with one selective filter, as a long-lived process would:
// with warm caches.
//
//   filtered_scan_bench [--small] [--repeats N] [holes]
//
// `holes`: the store lacks the rows of removed documents, so chunk rowids must be looked up.

#include <array>
#include <cstdio>
#include <functional>

#include "bench/bench_util.h"
#include "bench/vector_bench_store.h"
#include "index/search/vector/vector_index.h"
#include "tests/index/search/vector/search_vectors.h"

namespace recall {
namespace {

constexpr uint32_t kQueries = 20;
constexpr uint32_t kDocumentRows = 10;

// Selects row numbers pseudo-randomly and evenly, by a hash of the number (splitmix64).
bool Chosen(uint64_t number, double share) {
  uint64_t x = number * 0x9e3779b97f4a7c15 + 0x1234567;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return static_cast<double>((x ^ x >> 31) >> 11) < share * 9007199254740992.0;
}

struct Shape {
  const char* name;
  std::function<Bitmap(uint32_t rows, double share)> make;
};

const Shape kShapes[] = {{"single rows",
                          [](uint32_t rows, double share) {
                            Bitmap chunks;
                            for (uint32_t row = 0; row < rows; ++row) {
                              if (Chosen(row, share)) chunks.Add(row);
                            }
                            return chunks;
                          }},
                         {"documents of 10 rows",
                          [](uint32_t rows, double share) {
                            Bitmap chunks;
                            for (uint32_t row = 0; row < rows; row += kDocumentRows) {
                              if (Chosen(row, share)) chunks.AddRange(row, row + kDocumentRows - 1);
                            }
                            return chunks;
                          }},
                         {"one range", [](uint32_t rows, double share) {
                            const auto length = static_cast<uint32_t>(share * rows);
                            const uint32_t first = (rows - length) / 3;
                            Bitmap chunks;
                            chunks.AddRange(first, first + length - 1);
                            return chunks;
                          }}};

class Bench final {
 public:
  Bench(const ChunkColumns& columns, int repeats) : columns_(columns), repeats_(repeats) {
    BenchVectors source(2);
    for (uint32_t i = 0; i < kQueries; ++i) {
      queries_.push_back(columns.space().PrepareQuery(source.Next()));
    }
  }

  void Run(size_t k) {
    std::printf("\ntop %zu, 1 thread\n", k);
    std::printf("%-22s %7s %9s %10s %9s %12s %10s %11s\n", "filter", "share", "ms", "unfiltered",
                "ratio", "all exactly", "ratio", "exact/this");
    for (const Shape& shape : kShapes) {
      for (const double share : {1.0, 0.5, 0.1, 0.03, 0.02, 0.01, 0.001}) {
        Measure(shape, share, k);
      }
    }
  }

  void RunRepeated() {
    std::printf("\ntop 10, repeated filter\n%-22s %7s %9s %12s %12s\n", "filter", "share",
                "vectors", "ms, 1 thread", "2 threads");
    for (const Shape& shape : kShapes) {
      for (const double share : {0.01, 0.001}) {
        const Bitmap allowed = shape.make(columns_.segments().back().max_chunk + 1, share);
        const ChunkFilter filter{.allowed = &allowed, .removed = nullptr};
        std::array<std::vector<double>, 2> times;
        for (int round = 0; round < repeats_; ++round) {
          for (const VectorQuery& query : queries_) {
            for (size_t i = 0; i < times.size(); ++i) {
              times[i].push_back(Time(query, filter, {.k = 10, .threads = i + 1}));
            }
          }
        }
        std::printf("%-22s %6.1f%% %9llu %12.3f %12.3f\n", shape.name, share * 100,
                    static_cast<unsigned long long>(allowed.Count()), Median(times[0]) * 1e3,
                    Median(times[1]) * 1e3);
      }
    }
  }

 private:
  double Time(const VectorQuery& query, const ChunkFilter& filter,
              const VectorSearchOptions& options) {
    const double start = Now();
    check_ ^= Get(SearchVectors(columns_, query, filter, options)).size();
    return Now() - start;
  }

  void Measure(const Shape& shape, double share, size_t k) {
    const Bitmap allowed = shape.make(columns_.segments().back().max_chunk + 1, share);
    const ChunkFilter filter{.allowed = &allowed, .removed = nullptr};
    const VectorSearchOptions fast{.k = k};
    const VectorSearchOptions exact{.k = k, .exact = true};
    std::vector<double> filtered, unfiltered, ratios, all_exactly, exact_ratios, same_exactly;
    for (int round = 0; round < repeats_; ++round) {
      for (size_t i = 0; i < queries_.size(); ++i) {
        const VectorQuery& query = queries_[i];
        const double before = Time(query, {}, fast);
        const double time = Time(query, filter, fast);
        const double after = Time(query, {}, fast);
        filtered.push_back(time);
        unfiltered.push_back((before + after) / 2);
        ratios.push_back(time / unfiltered.back());
        if (i % 4 != 0) continue;
        all_exactly.push_back(Time(query, {}, exact));
        exact_ratios.push_back(all_exactly.back() / time);
        same_exactly.push_back(Time(query, filter, exact) / time);
      }
    }
    std::printf("%-22s %6.1f%% %9.3f %10.3f %9.2f %12.3f %10.1f %11.2f\n", shape.name, share * 100,
                Median(filtered) * 1e3, Median(unfiltered) * 1e3, Median(ratios),
                Median(all_exactly) * 1e3, Median(exact_ratios), Median(same_exactly));
  }

  const ChunkColumns& columns_;
  int repeats_;
  std::vector<VectorQuery> queries_;
  size_t check_ = 0;  // keeps the timed calls from being optimised away
};

int Main(int argc, char** argv) {
  const BenchArgs args = ParseBenchArgs(argc, argv);
  const bool holes = args.rest == std::vector<std::string>{"holes"};
  const VectorBenchStore bench(args.small, holes ? BenchRows::kHoles : BenchRows::kDense);
  std::printf("%u dimensions, %zu segments, %zu of them mapped%s, %d x %u queries\n", kBenchDim,
              bench.columns->segments().size(), bench.MappedSegments(), holes ? ", with holes" : "",
              args.repeats, kQueries);
  Bench runner(*bench.columns, args.repeats);
  runner.RunRepeated();
  runner.Run(10);
  runner.Run(1000);
  return 0;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) { return recall::Main(argc, argv); }
