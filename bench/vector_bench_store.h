#pragma once

// The store of synthetic vectors that the vector benchmarks search.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench_util.h"
#include "index/search/columns/chunk_columns.h"
#include "index/search/vector/vector_writer.h"

namespace recall {

inline constexpr uint32_t kBenchDim = 256;

// Vectors around 1000 centroids. Their variance falls from dimension to dimension, as it does in
// text embeddings.
class BenchVectors final {
 public:
  // Sources with different seeds have the same centroids.
  explicit BenchVectors(uint64_t seed) {
    for (auto& centroid : centroids_) centroid = Draw();
    state_ ^= seed * 0x9e3779b97f4a7c15;
  }

  std::vector<float> Next() {
    std::vector<float> vector = Draw();
    const std::vector<float>& centroid = centroids_[Random() % centroids_.size()];
    for (uint32_t i = 0; i < kBenchDim; ++i) vector[i] = centroid[i] + 0.9f * vector[i];
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
    std::vector<float> vector(kBenchDim);
    for (uint32_t i = 0; i < kBenchDim; ++i) {
      const uint64_t word = Random();  // the sum of four uniform numbers is nearly normal
      float sum = 0;
      for (int part = 0; part < 64; part += 16) sum += static_cast<float>(word >> part & 0xffff);
      vector[i] = (sum / 65536 - 2) / std::sqrt(1.0f + static_cast<float>(i) / 4);
    }
    return vector;
  }

  uint64_t state_ = 1;
  std::array<std::vector<float>, 1000> centroids_;
};

template <typename T>
T Get(Result<T> result) {
  if (!result) Die(result.error().ToString());
  return std::move(*result);
}

inline void Must(const Status& status) {
  if (!status.ok()) Die(status.ToString());
}

enum class BenchRows {
  kDense,  // consecutive chunk rowids
  kHoles,  // 6 rows of 96 are missing, as after edits and merges
};

inline void BuildVectorStore(const std::string& path, const VectorSpace& space, uint32_t count,
                             BenchRows rows) {
  StoreSettings settings;
  settings.dim = kBenchDim;
  const auto store = Get(Store::Create(path, settings));
  BenchVectors source(1);
  double writing = 0;
  for (uint32_t done = 0; done < count;) {
    const uint32_t batch = std::min(count - done, kMaxSegmentVectors);
    const auto write = Get(store->BeginWrite());
    std::vector<ChunkVector> vectors(batch);
    const uint32_t missing = rows == BenchRows::kHoles ? batch / 15 + 6 : 0;
    uint32_t chunk = Get(write->AllocateChunkRows(batch + missing));
    for (ChunkVector& vector : vectors) {
      if (rows == BenchRows::kHoles && chunk % 96 == 89) chunk += 6;
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

// A store of 1,000,000 vectors (20,000 if small) and the columns of its newest commit. The large
// one (300 MB) stays in the temporary directory for the next run.
struct VectorBenchStore {
  VectorSpace space{kBenchDim, StoreSettings().signature_seed};
  ScratchDir scratch;
  std::unique_ptr<Store> store;
  std::unique_ptr<ReadTransaction> read;
  std::unique_ptr<ChunkColumns> columns;

  VectorBenchStore(bool small, BenchRows rows) {
    const std::string name =
        rows == BenchRows::kDense ? "recall-vector-bench-1.db" : "recall-vector-bench-holes-1.db";
    const std::string path = small ? scratch.path() + "/recall.db"
                                   : (std::filesystem::temp_directory_path() / name).string();
    if (!std::filesystem::exists(path)) {
      const std::string unfinished = scratch.path() + "/unfinished.db";
      BuildVectorStore(unfinished, space, small ? 20'000 : 1'000'000, rows);
      std::filesystem::rename(unfinished, path);
    }
    store = Get(Store::Open(path));
    read = Get(store->BeginRead());
    columns = Get(ChunkColumns::Open(*read, space));
  }

  size_t MappedSegments() const {
    size_t mapped = 0;
    for (const auto& segment : columns->segments()) mapped += segment.reader->mapped();
    return mapped;
  }
};

}  // namespace recall
