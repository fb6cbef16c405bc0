#pragma once

// The stores of made-up vectors that the benchmarks of vectors search.

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/micro/micro.h"
#include "index/search/columns/chunk_columns.h"
#include "index/search/vector/vector_index.h"
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

enum class VectorRows {
  kDense,  // consecutive chunk rowids
  kHoles,  // 6 rows of 96 are missing, as after edits and merges
  kLists,  // consecutive, and divided into IVF lists
};

// A store of Options().vectors vectors, and the columns of its newest commit.
class VectorStore final {
 public:
  // Made when it is first asked for; lives until the process ends.
  static const VectorStore& With(VectorRows rows);

  const VectorSpace& space() const { return space_; }
  const ChunkColumns& columns() const { return *columns_; }
  // Twenty queries, always the same; with the probed lists, if there are lists.
  const std::vector<VectorQuery>& queries() const { return queries_; }
  // The k nearest of each query, by an exact scan of all vectors.
  std::vector<std::vector<RetrieverHit>> Nearest(size_t k) const;

 private:
  explicit VectorStore(VectorRows rows);
  void TrainLists();
  void Append(VectorRows rows);

  ScratchDir scratch_;
  VectorSpace space_{kBenchDim, StoreSettings().signature_seed};
  std::unique_ptr<Store> store_;
  std::unique_ptr<ReadTransaction> read_;
  std::unique_ptr<ChunkColumns> columns_;
  std::vector<VectorQuery> queries_;
};

// A sample to train IVF lists with.
std::vector<QuantizedVector> TrainingSample(const VectorSpace& space);

// The share of the hits of `right` that `found` has. Requires: `right` is not empty.
double ShareFound(const std::vector<RetrieverHit>& found, const std::vector<RetrieverHit>& right);

}  // namespace recall
