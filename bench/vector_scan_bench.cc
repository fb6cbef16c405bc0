// Compares vector search in a real recall.db with a plain sum over the same mapped bytes, in the
// same run. `of stream` is the bandwidth of the scan divided by that of the sum; at 1.0, memory is
// the only limit. Goal: the exact scan in place reaches 0.80.
//
// The store (1M vectors of 256 dimensions, 300 MB) stays in the temporary directory for the next
// run; --small uses a temporary store.

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "bench/bench_util.h"
#include "bench/vector_bench_store.h"
#include "index/search/vector/vector_index.h"
#include "index/search/vector/vector_scan.h"
#include "tests/index/search/vector/search_vectors.h"

namespace recall {
namespace {

constexpr uint32_t kQueries = 20;
constexpr size_t kHits = 10;
constexpr size_t kDepth = 1000;

// The sum of all 64-bit words of a section's pages, read in place.
uint64_t SumSection(const SectionView& view) {
  uint64_t sums[4] = {};
  for (uint32_t page = 0; page < view.pages(); ++page) {
    const size_t words = size_t{view.items_on_page(page)} * view.item_bytes() / 8;
    const uint8_t* bytes = view.page(page);
    for (size_t i = 0; i + 4 <= words; i += 4) {
      for (size_t lane = 0; lane < 4; ++lane) {
        sums[lane] += LoadLittle<uint64_t>(bytes + (i + lane) * 8);
      }
    }
  }
  return sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
}

class Bench final {
 public:
  Bench(const ChunkColumns& columns, const BenchArgs& args) : columns_(columns), args_(args) {
    for (const ColumnSegment& segment : columns.segments()) {
      segments_.push_back({&segment, Get(OpenVectors(segment, columns.space(), true)),
                           VectorSelection(segment, {})});
      Must(segments_.back().sections.vectors->NeedRange(0, segment.vectors));
    }
    BenchVectors source(2);
    for (uint32_t i = 0; i < kQueries; ++i) {
      queries_.push_back(columns.space().PrepareQuery(source.Next()));
    }
  }

  void Run() {
    std::printf("%-44s %9s %8s %10s\n", "", "median ms", "GB/s", "of stream");
    Scans();
    Searches();
    Depths();
    std::printf("checksum %016llx\n", static_cast<unsigned long long>(check_));
  }

 private:
  // Runs the sum and the scan alternately, so that a busy machine slows both.
  template <typename Scan>
  void AgainstStream(const char* name, const SectionView* VectorSections::*section, Scan scan) {
    double bytes = 0;
    for (const ScanSegment& of : segments_) {
      const SectionView& view = *(of.sections.*section);
      bytes += static_cast<double>(view.items()) * view.item_bytes();
    }
    std::vector<double> sums;
    std::vector<double> scans;
    std::vector<double> ratios;
    for (int round = 0; round < args_.repeats; ++round) {
      for (const VectorQuery& query : queries_) {
        const double start = Now();
        for (const ScanSegment& of : segments_) check_ ^= SumSection(*(of.sections.*section));
        const double middle = Now();
        scan(query);
        const double end = Now();
        sums.push_back(middle - start);
        scans.push_back(end - middle);
        ratios.push_back((middle - start) / (end - middle));
      }
    }
    const double sum = Median(sums);
    const double time = Median(scans);
    std::printf("%-44s %9.3f %8.1f\n", "  plain sum over the same mapped bytes", sum * 1e3,
                bytes / sum / 1e9);
    std::printf("%-44s %9.3f %8.1f %10.2f\n", name, time * 1e3, bytes / time / 1e9, Median(ratios));
  }

  void Scans() {
    AgainstStream("int8 components, exact, zero-copy, 1 thread", &VectorSections::vectors,
                  [&](const VectorQuery& query) {
                    TopK<float> best(kHits);
                    for (const ScanSegment& of : segments_) {
                      Must(ScanExact({&of, 0, of.segment->vectors}, query, &best));
                    }
                    check_ ^= best.Take().front().id;
                  });
    AgainstStream("sign codes, 1 thread", &VectorSections::sign_codes,
                  [&](const VectorQuery& query) {
                    Shortlist best(kDepth, MaxSignCodeScore(query));
                    for (const ScanSegment& of : segments_) {
                      Must(ScanSignCodes({&of, 0, of.segment->vectors}, query, &best));
                    }
                    check_ ^= best.Positions().front();
                  });
  }

  double Time(const ChunkFilter& filter, const VectorSearchOptions& options) {
    std::vector<double> times;
    for (int round = 0; round < args_.repeats; ++round) {
      for (const VectorQuery& query : queries_) {
        const double start = Now();
        check_ ^= Get(SearchVectors(columns_, query, filter, options)).size();
        times.push_back(Now() - start);
      }
    }
    return Median(times);
  }

  void Searches() {
    for (const size_t threads : {size_t{1}, size_t{args_.threads}}) {
      const VectorSearchOptions fast{.k = kHits, .threads = threads};
      const VectorSearchOptions exact{.k = kHits, .exact = true, .threads = threads};
      std::printf("top %zu by sign codes and rerank, %zu thread%-6s %9.3f\n", kHits, threads,
                  threads == 1 ? "" : "s", Time({}, fast) * 1e3);
      std::printf("top %zu exact, %zu thread%-23s %9.3f\n", kHits, threads, threads == 1 ? "" : "s",
                  Time({}, exact) * 1e3);
    }
  }

  // Time and recall for several lengths of the shortlist; the last is the length that searches
  // choose. The lengths take turns, so that a busy machine slows all alike.
  void Depths() {
    constexpr size_t kDepths[] = {200, 500, 1000, 2000, 0};
    constexpr size_t kMostHits = 100;
    std::array<std::vector<double>, std::size(kDepths)> times;
    std::array<size_t, std::size(kDepths)> found_10{};
    std::array<size_t, std::size(kDepths)> found_100{};
    for (int round = 0; round < args_.repeats; ++round) {
      for (const VectorQuery& query : queries_) {
        const auto exact = Get(SearchVectors(columns_, query, {}, {.k = kMostHits, .exact = true}));
        Get(SearchVectors(columns_, query, {}, {}));  // warms the caches after the exact scan
        for (size_t turn = 0; turn < std::size(kDepths); ++turn) {
          const size_t i = (turn + static_cast<size_t>(round)) % std::size(kDepths);
          const double start = Now();
          const VectorSearchOptions options{
              .k = kMostHits, .depth = kDepths[i], .most = kDepths[i]};
          const auto hits = Get(SearchVectors(columns_, query, {}, options));
          times[i].push_back(Now() - start);
          found_10[i] += Common(hits, exact, kHits);
          found_100[i] += Common(hits, exact, kMostHits);
        }
      }
    }
    std::printf("%-10s %9s %10s %11s\n", "depth", "ms", "recall@10", "recall@100");
    for (size_t i = 0; i < std::size(kDepths); ++i) {
      const double searches = static_cast<double>(times[i].size());
      const std::string depth = kDepths[i] == 0 ? "chosen" : std::to_string(kDepths[i]);
      std::printf("%-10s %9.3f %10.4f %11.4f\n", depth.c_str(), Median(times[i]) * 1e3,
                  static_cast<double>(found_10[i]) / searches / kHits,
                  static_cast<double>(found_100[i]) / searches / kMostHits);
    }
  }

  // The number of common chunks among the first k of both.
  static size_t Common(const std::vector<RetrieverHit>& a, const std::vector<RetrieverHit>& b,
                       size_t k) {
    std::set<uint32_t> chunks;
    for (size_t i = 0; i < std::min(k, a.size()); ++i) chunks.insert(a[i].chunk);
    size_t common = 0;
    for (size_t i = 0; i < std::min(k, b.size()); ++i) common += chunks.contains(b[i].chunk);
    return common;
  }

  const ChunkColumns& columns_;
  BenchArgs args_;
  std::vector<ScanSegment> segments_;
  std::vector<VectorQuery> queries_;
  uint64_t check_ = 0;  // printed at the end: keeps the timed calls from being optimised away
};

int Main(int argc, char** argv) {
  const BenchArgs args = ParseBenchArgs(argc, argv);
  const VectorBenchStore bench(args.small, BenchRows::kDense);
  const size_t segments = bench.columns->segments().size();
  std::printf("%u dimensions, %zu segments, %zu of them mapped, %d x %u queries\n", kBenchDim,
              segments, bench.MappedSegments(), args.repeats, kQueries);
  Bench(*bench.columns, args).Run();
  return bench.MappedSegments() == segments ? 0 : 1;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) { return recall::Main(argc, argv); }
