#include "bench/micro/vector_store.h"

#include <algorithm>
#include <atomic>
#include <set>

#include "index/search/vector/ivf_training.h"
#include "storage/base/bytes.h"
#include "storage/tables/model_table.h"
#include "tests/index/search/vector/search_vectors.h"

namespace recall {

std::vector<QuantizedVector> TrainingSample(const VectorSpace& space) {
  BenchVectors source(3);
  std::vector<QuantizedVector> sample;
  for (int i = 0; i < 20'000; ++i) sample.push_back(space.Quantize(source.Next()));
  return sample;
}

const VectorStore& VectorStore::With(VectorRows rows) {
  switch (rows) {
    case VectorRows::kDense: {
      static const VectorStore dense(rows);
      return dense;
    }
    case VectorRows::kHoles: {
      static const VectorStore holes(rows);
      return holes;
    }
    case VectorRows::kLists:
      break;
  }
  static const VectorStore lists(VectorRows::kLists);
  return lists;
}

VectorStore::VectorStore(VectorRows rows) {
  StoreSettings settings;
  settings.dim = kBenchDim;
  store_ = Get(Store::Create(scratch_.path() + "/recall.db", settings));
  if (rows == VectorRows::kLists) TrainLists();
  Append(rows);
  read_ = Get(store_->BeginRead());
  columns_ = Get(ChunkColumns::Open(*read_, space_));
  BenchVectors source(2);
  for (int i = 0; i < 20; ++i) queries_.push_back(space_.PrepareQuery(source.Next()));
}

void VectorStore::TrainLists() {
  const std::vector<QuantizedVector> sample = TrainingSample(space_);
  const std::atomic<bool> go_on = false;
  const auto lists = Get(TrainCoarseQuantizer(sample, space_, {}, &go_on));
  const auto write = Get(store_->BeginWrite());
  Get(InsertModel(
      write->connection(),
      {.since = write->counts().commit_sequence + 1, .chunks = static_cast<int64_t>(sample.size())},
      {{std::string(kCoarseQuantizerPart), lists.bytes()}}));
  Must(write->Commit());
  auto quantizer = Get(CoarseQuantizer::Open(lists.bytes()));
  space_ = VectorSpace(space_, std::make_shared<const CoarseQuantizer>(std::move(quantizer)));
}

void VectorStore::Append(VectorRows rows) {
  BenchVectors source(1);
  for (uint32_t done = 0; done < Options().vectors;) {
    const uint32_t batch = std::min(Options().vectors - done, kMaxSegmentVectors);
    const auto write = Get(store_->BeginWrite());
    std::vector<ChunkVector> vectors(batch);
    const uint32_t missing = rows == VectorRows::kHoles ? batch / 15 + 6 : 0;
    uint32_t chunk = Get(write->AllocateChunkRows(batch + missing));
    for (ChunkVector& vector : vectors) {
      if (rows == VectorRows::kHoles && chunk % 96 == 89) chunk += 6;
      vector = {chunk++, 200, 200, space_.Quantize(source.Next())};
    }
    Must(AppendVectors(*write, space_, vectors));
    Must(write->Commit());
    done += batch;
  }
}

std::vector<std::vector<RetrieverHit>> VectorStore::Nearest(size_t k) const {
  std::vector<std::vector<RetrieverHit>> nearest;
  for (const VectorQuery& query : queries_) {
    nearest.push_back(Get(SearchVectors(*columns_, query, {}, {.k = k, .exact = true})));
  }
  return nearest;
}

double ShareFound(const std::vector<RetrieverHit>& found, const std::vector<RetrieverHit>& right) {
  std::set<uint32_t> chunks;
  for (const RetrieverHit& hit : found) chunks.insert(hit.chunk);
  size_t common = 0;
  for (const RetrieverHit& hit : right) common += chunks.contains(hit.chunk);
  return static_cast<double>(common) / static_cast<double>(right.size());
}

}  // namespace recall
