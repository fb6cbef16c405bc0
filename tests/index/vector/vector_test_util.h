#pragma once

// Random vectors, filters and stores, and naive searches with which the fast ones are compared.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "index/vector/ivf_training.h"
#include "index/vector/segment_builder.h"
#include "index/vector/vector_index.h"
#include "index/vector/vector_scan.h"
#include "index/vector/vector_writer.h"
#include "storage/base/bytes.h"
#include "tests/test_util.h"

namespace recall {

// Random vectors around `centroids` directions, like embeddings of texts on that many subjects.
class ClusteredVectors final {
 public:
  ClusteredVectors(uint64_t seed, uint32_t dim, size_t centroids, float noise = 1.0f)
      : random_(seed), dim_(dim), noise_(noise) {
    for (size_t i = 0; i < centroids; ++i) centroids_.push_back(Draw());
  }

  std::vector<float> Next() {
    std::vector<float> vector = Draw();
    const std::vector<float>& centroid = centroids_[random_() % centroids_.size()];
    for (uint32_t i = 0; i < dim_; ++i) vector[i] = centroid[i] + noise_ * vector[i];
    return vector;
  }

 private:
  // The variance falls from dimension to dimension, as in real embeddings.
  std::vector<float> Draw() {
    std::vector<float> vector(dim_);
    for (uint32_t i = 0; i < dim_; ++i) {
      vector[i] = normal_(random_) / std::sqrt(1.0f + static_cast<float>(i) / 8);
    }
    return vector;
  }

  std::mt19937_64 random_;
  std::normal_distribution<float> normal_;
  uint32_t dim_;
  float noise_;
  std::vector<std::vector<float>> centroids_;
};

using VectorModel = std::map<uint32_t, ChunkVector>;

inline float SlowScore(const VectorQuery& query, const QuantizedVector& vector) {
  int64_t dot = 0;
  for (size_t i = 0; i < query.values.size(); ++i) {
    dot += int64_t{query.values[i]} * vector.values[i];
  }
  const float score = static_cast<float>(dot) * query.scale * vector.scale;
  return std::min(1.0f, std::max(-1.0f, score));
}

inline std::vector<RetrieverHit> BestOf(std::vector<RetrieverHit> hits, size_t k) {
  std::sort(hits.begin(), hits.end(), [](const RetrieverHit& a, const RetrieverHit& b) {
    return a.score != b.score ? a.score > b.score : a.chunk < b.chunk;
  });
  hits.resize(std::min(k, hits.size()));
  return hits;
}

// The k best vectors of the model that pass the filter, by cosine.
inline std::vector<RetrieverHit> SlowSearch(const VectorModel& model, const VectorQuery& query,
                                            const ChunkFilter& filter, size_t k) {
  std::vector<RetrieverHit> hits;
  for (const auto& [chunk, vector] : model) {
    if (filter.Passes(chunk)) hits.push_back({chunk, SlowScore(query, vector.vector)});
  }
  return BestOf(std::move(hits), k);
}

// The score of a vector's sign code: the sum of its look-ups.
inline uint32_t SignCodeScore(const VectorQuery& query, const QuantizedVector& vector) {
  uint32_t score = 0;
  for (size_t table = 0; table < query.lookup.size() / 16; ++table) {
    size_t pattern = 0;
    for (size_t bit = 0; bit < 4; ++bit) {
      pattern |= size_t{vector.values[table * 4 + bit] > 0} << bit;
    }
    score += query.lookup[table * 16 + pattern];
  }
  return score;
}

// All vectors that pass the filter, ranked by the scores of their sign codes.
inline std::vector<RetrieverHit> SlowSignCodeRanking(const VectorModel& model,
                                                     const VectorQuery& query,
                                                     const ChunkFilter& filter) {
  std::vector<RetrieverHit> by_sign_code;
  for (const auto& [chunk, vector] : model) {
    if (filter.Passes(chunk)) {
      by_sign_code.push_back({chunk, static_cast<float>(SignCodeScore(query, vector.vector))});
    }
  }
  return BestOf(by_sign_code, by_sign_code.size());
}

// The ranking of a sign-code search by its definition. First the `depth` best sign codes, and those
// that tie with the last of them, up to four times as many, are scored in full. Then, of the `most`
// best, those whose sign codes could still be as near as the tenth so far.
inline std::vector<RetrieverHit> SlowTwoStepRanking(const VectorModel& model,
                                                    const VectorQuery& query,
                                                    const ChunkFilter& filter, size_t depth,
                                                    size_t most) {
  const std::vector<RetrieverHit> ranked = SlowSignCodeRanking(model, query, filter);
  if (ranked.empty()) return {};
  VectorModel candidates;
  const auto take = [&](size_t count, double least) {
    for (size_t i = 0; i < std::min(count, ranked.size()) && ranked[i].score >= least; ++i) {
      candidates[ranked[i].chunk] = model.at(ranked[i].chunk);
    }
    return SlowSearch(candidates, query, {}, candidates.size());
  };
  const std::vector<RetrieverHit> first =
      take(std::min(4 * depth, most), ranked.at(std::min(depth, ranked.size()) - 1).score);
  if (most == depth || first.size() < 10) return first;
  return take(most, LeastSignCodeScore(query, static_cast<float>(first[9].score)));
}

inline std::vector<std::pair<uint32_t, float>> Pairs(const std::vector<RetrieverHit>& hits) {
  std::vector<std::pair<uint32_t, float>> pairs;
  for (const RetrieverHit& hit : hits) pairs.emplace_back(hit.chunk, static_cast<float>(hit.score));
  return pairs;
}

// Gives the space IVF lists, trained on vectors of the source.
inline void TrainLists(VectorSpace* space, ClusteredVectors source, uint32_t lists) {
  std::vector<QuantizedVector> sample;
  for (uint32_t i = 0; i < 8 * lists; ++i) sample.push_back(space->Quantize(source.Next()));
  auto trained = TrainCoarseQuantizer(sample, *space, {.lists = lists}, nullptr);
  ASSERT_TRUE(trained.has_value());
  space->UseCoarseQuantizer(std::make_shared<const CoarseQuantizer>(*std::move(trained)));
}

// The vectors that a sign-code search scans. In a space with lists these are the vectors in the
// nearest lists, which contain about a tenth of all, if most vectors pass the filter and enough of
// those in the lists do.
inline VectorModel SlowProbe(const VectorModel& model, const VectorSpace& space,
                             const VectorQuery& query, const ChunkFilter& filter, size_t depth) {
  if (space.coarse_quantizer() == nullptr) return model;
  const auto passing = [&](const VectorModel& of) {
    return static_cast<size_t>(
        std::ranges::count_if(of, [&](const auto& entry) { return filter.Passes(entry.first); }));
  };
  const size_t selected = passing(model);
  if (4 * selected < 3 * model.size()) return model;
  const auto lists =
      space.coarse_quantizer()->NearestLists(query.lists, model.size(), 10 * selected);
  VectorModel probed;
  for (const auto& entry : model) {
    if (std::ranges::count(lists, entry.second.vector.list) > 0) probed.insert(entry);
  }
  return passing(probed) < std::min(depth, selected) ? model : probed;
}

inline ChunkVector MakeChunkVector(const VectorSpace& space, uint32_t chunk,
                                   std::span<const float> vector) {
  return {chunk, chunk % 251 + 1, chunk % 97, space.Quantize(vector)};
}

// A segment of the model's chunks first..last, which may have gaps in their rowids.
inline SegmentContent MakeSegment(const VectorSpace& space, const VectorModel& model,
                                  uint32_t first, uint32_t last) {
  SegmentBuilder builder(space);
  for (auto it = model.lower_bound(first); it != model.end() && it->first <= last; ++it) {
    const ChunkVector& vector = it->second;
    builder.Add({vector.chunk, static_cast<uint16_t>(vector.lexical_tokens),
                 static_cast<uint16_t>(vector.tokens), vector.vector.scale,
                 vector.vector.values.data(), vector.vector.list});
  }
  return builder.Finish();
}

}  // namespace recall
