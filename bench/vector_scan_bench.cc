// Vector search inside a real recall.db, held against a plain sum over the very same mapped bytes
// in the same run. `of stream` is the scan's bandwidth divided by the sum's: 1.0 means that memory
// is the only limit. Goal: the zero-copy exact scan reaches 0.80.
//
// The store (1M vectors of 256 dimensions, 300 MB) is kept in the temporary directory for the next
// run; --small makes a throw-away one.

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "bench/bench_util.h"
#include "index/vector/vector_index.h"
#include "index/vector/vector_scan.h"
#include "index/vector/vector_writer.h"

namespace recall {
namespace {

constexpr uint32_t kDim = 256;
constexpr uint32_t kQueries = 20;
constexpr size_t kHits = 10;
constexpr size_t kDepth = 200;

// Vectors around 1000 centres, with a variance that falls with the dimension, as text embeddings
// have it.
class Source final {
 public:
  // Sources of different seeds share their centres.
  explicit Source(uint64_t seed) {
    for (auto& centre : centres_) centre = Draw();
    state_ ^= seed * 0x9e3779b97f4a7c15;
  }

  std::vector<float> Next() {
    std::vector<float> vector = Draw();
    const std::vector<float>& centre = centres_[Random() % centres_.size()];
    for (uint32_t i = 0; i < kDim; ++i) vector[i] = centre[i] + 0.9f * vector[i];
    return vector;
  }

 private:
  uint64_t Random() {  // xorshift64*, Vigna 2016
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1d;
  }

  std::vector<float> Draw() {
    std::vector<float> vector(kDim);
    for (uint32_t i = 0; i < kDim; ++i) {
      const uint64_t word = Random();  // four 16-bit numbers add up to nearly a bell
      float sum = 0;
      for (int part = 0; part < 64; part += 16) sum += static_cast<float>(word >> part & 0xffff);
      vector[i] = (sum / 65536 - 2) / std::sqrt(1.0f + static_cast<float>(i) / 4);
    }
    return vector;
  }

  uint64_t state_ = 1;
  std::vector<std::vector<float>> centres_ = std::vector<std::vector<float>>(1000);
};

template <typename T>
T Get(Result<T> result) {
  if (!result) Die(result.error().ToString());
  return std::move(*result);
}

void Must(const Status& status) {
  if (!status.ok()) Die(status.ToString());
}

void Build(const std::string& path, const VectorSpace& space, uint32_t count) {
  StoreSettings settings;
  settings.dim = kDim;
  const auto store = Get(Store::Create(path, settings));
  Source source(1);
  double writing = 0;
  for (uint32_t done = 0; done < count;) {
    const uint32_t batch = std::min(count - done, kMaxSegmentVectors);
    std::vector<ChunkVector> vectors(batch);
    const auto write = Get(store->BeginWrite());
    uint32_t chunk = Get(write->AllocateChunkRows(batch));
    for (ChunkVector& vector : vectors) {
      vector = {chunk++, 200, 200, space.Quantize(source.Next())};
    }
    const double start = Now();
    Must(AppendVectors(*write, space, vectors));
    Must(write->Commit());
    writing += Now() - start;
    done += batch;
  }
  std::printf("built %u vectors, writing took %.2f s\n", count, writing);
}

// Sum of all 64-bit words of a section's pages, in place.
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
    for (const ChunkColumns::Segment& segment : columns.segments()) {
      segments_.push_back({&segment, Get(OpenVectors(segment, columns.space(), true)),
                           VectorSelection(segment, {})});
      vectors_ += segment.vectors;
    }
    Source source(2);
    for (uint32_t i = 0; i < kQueries; ++i) {
      queries_.push_back(columns.space().PrepareQuery(source.Next()));
    }
  }

  void Run() {
    std::printf("%-44s %9s %8s %10s\n", "", "median ms", "GB/s", "of stream");
    Scans();
    Searches();
    Filters();
    std::printf("checksum %016llx\n", static_cast<unsigned long long>(check_));
  }

 private:
  // Runs sum and scan in turn, so that a busy machine slows both.
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
                      ScanExact({&of, 0, of.segment->vectors}, query, &best);
                    }
                    check_ ^= best.Take().front().id;
                  });
    AgainstStream("signatures, 1 thread", &VectorSections::signatures,
                  [&](const VectorQuery& query) {
                    TopK<uint16_t> best(kDepth);
                    for (const ScanSegment& of : segments_) {
                      ScanSignatures({&of, 0, of.segment->vectors}, query, &best);
                    }
                    check_ ^= best.Take().front().id;
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
      const VectorSearchOptions fast{.k = kHits, .depth = kDepth, .threads = threads};
      const VectorSearchOptions exact{.k = kHits, .exact = true, .threads = threads};
      std::printf("top %zu by signatures and rerank, %zu thread%-6s %9.3f\n", kHits, threads,
                  threads == 1 ? "" : "s", Time({}, fast) * 1e3);
      std::printf("top %zu exact, %zu thread%-23s %9.3f\n", kHits, threads, threads == 1 ? "" : "s",
                  Time({}, exact) * 1e3);
    }
    size_t found = 0;
    for (const VectorQuery& query : queries_) {
      std::set<uint32_t> wanted;
      for (const VectorHit& hit :
           Get(SearchVectors(columns_, query, {}, {.k = kHits, .exact = true}))) {
        wanted.insert(hit.chunk);
      }
      for (const VectorHit& hit :
           Get(SearchVectors(columns_, query, {}, {.k = kHits, .depth = kDepth}))) {
        found += wanted.contains(hit.chunk);
      }
    }
    std::printf("recall@%zu of signatures at depth %zu against exact: %.3f\n", kHits, kDepth,
                static_cast<double>(found) / (kQueries * kHits));
  }

  void Filters() {
    for (const uint32_t one_in : {2u, 10u, 100u, 1000u}) {
      Bitmap allowed;
      uint64_t random = 88172645463325252;
      for (uint32_t chunk = 0; chunk < vectors_; ++chunk) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        if (random % one_in == 0) allowed.Add(chunk);
      }
      const ChunkFilter filter{.allowed = &allowed, .removed = nullptr};
      std::printf("top %zu of a random 1/%-4u%-21s %9.3f\n", kHits, one_in, ", 1 thread",
                  Time(filter, {.k = kHits, .depth = kDepth}) * 1e3);
    }
  }

  const ChunkColumns& columns_;
  BenchArgs args_;
  std::vector<ScanSegment> segments_;
  std::vector<VectorQuery> queries_;
  uint64_t vectors_ = 0;
  uint64_t check_ = 0;  // printed at the end: keeps what is timed from being optimised away
};

int Main(int argc, char** argv) {
  const BenchArgs args = ParseBenchArgs(argc, argv);
  const uint32_t count = args.small ? 20'000 : 1'000'000;
  const ScratchDir scratch;
  const std::string path =
      args.small ? scratch.path() + "/recall.db"
                 : (std::filesystem::temp_directory_path() / "recall-vector-bench-1.db").string();
  const VectorSpace space(kDim, StoreSettings().signature_seed);
  if (!std::filesystem::exists(path)) {
    const std::string unfinished = scratch.path() + "/unfinished.db";
    Build(unfinished, space, count);
    std::filesystem::rename(unfinished, path);
  }
  const auto store = Get(Store::Open(path));
  const auto read = Get(store->BeginRead());
  const auto columns = Get(ChunkColumns::Open(*read, space));
  size_t mapped = 0;
  for (const auto& segment : columns->segments()) mapped += segment.reader->mapped();
  std::printf("%u vectors of %u dimensions, %zu segments, %zu of them mapped, %d x %u queries\n",
              count, kDim, columns->segments().size(), mapped, args.repeats, kQueries);
  Bench(*columns, args).Run();
  return mapped == columns->segments().size() ? 0 : 1;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) { return recall::Main(argc, argv); }
