#pragma once

// Random vectors, filters and stores, and naive searches with which the fast ones are compared.

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "index/embed/vector_space/coarse_format.h"
#include "index/search/vector/ivf_training.h"
#include "index/search/vector/segment_builder.h"
#include "index/search/vector/vector_index.h"
#include "index/search/vector/vector_scan.h"
#include "index/search/vector/vector_writer.h"
#include "storage/base/bytes.h"
#include "tests/index/search/vector/search_vectors.h"
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

// The chunks of a ranking by sign code from the first one on: `count` of them, as far as their
// score is `least` or more.
inline VectorModel TakeBest(const VectorModel& model, const std::vector<RetrieverHit>& ranked,
                            size_t count, double least) {
  VectorModel taken;
  for (size_t i = 0; i < std::min(count, ranked.size()) && ranked[i].score >= least; ++i) {
    taken[ranked[i].chunk] = model.at(ranked[i].chunk);
  }
  return taken;
}

// The ranking of a sign-code search by its definition. First the `depth` best sign codes, and those
// that tie with the last of them, up to `kept`, are scored in full. Then, of the `most` best, those
// whose sign codes could still be as near as the tenth so far. `scored` are scored in any case.
inline std::vector<RetrieverHit> SlowTwoStepRanking(const VectorModel& model,
                                                    const VectorQuery& query,
                                                    const ChunkFilter& filter, size_t depth,
                                                    size_t most, size_t kept,
                                                    VectorModel scored = {}) {
  const std::vector<RetrieverHit> ranked = SlowSignCodeRanking(model, query, filter);
  if (ranked.empty()) return {};
  const auto take = [&](size_t count, double least) {
    scored.merge(TakeBest(model, ranked, count, least));
    return SlowSearch(scored, query, {}, scored.size());
  };
  const std::vector<RetrieverHit> first =
      take(std::min(kept, most), ranked.at(std::min(depth, ranked.size()) - 1).score);
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
  *space = VectorSpace(*space, std::make_shared<const CoarseQuantizer>(*std::move(trained)));
}

// The same lists as written before their mean cosines were stored.
inline CoarseQuantizer WithoutCosines(const CoarseQuantizer& lists) {
  const std::string& bytes = lists.bytes();
  const size_t count = lists.list_count();
  const char* const counts = bytes.data() + sizeof(coarse_format::Header);
  std::vector<uint32_t> of(count);
  std::memcpy(of.data(), counts, count * sizeof(uint32_t));
  const auto* const centroids =
      reinterpret_cast<const int8_t*>(counts + count * (sizeof(uint32_t) + sizeof(float)));
  return CoarseQuantizer(lists.dim(), {centroids, centroids + count * lists.dim()}, of);
}

inline size_t CountPassing(const VectorModel& model, const ChunkFilter& filter) {
  return static_cast<size_t>(
      std::ranges::count_if(model, [&](const auto& entry) { return filter.Passes(entry.first); }));
}

inline VectorModel InLists(const VectorModel& model, std::span<const uint16_t> lists) {
  VectorModel in;
  for (const auto& entry : model) {
    if (std::ranges::count(lists, entry.second.vector.list) > 0) in.insert(entry);
  }
  return in;
}

// The ranking of a sign-code search by its definition. In a space with lists, most vectors must
// pass the filter; then the nearest lists are searched, which contain about a fiftieth of all
// vectors. The best fourth of `depth` by sign code is scored in full. All further lists that reach
// the hundredth of these, up to a quarter of the vectors, are searched as well. If the lists
// contain fewer than `depth` vectors, all vectors are searched.
inline std::vector<RetrieverHit> SlowApproximateRanking(const VectorModel& model,
                                                        const VectorSpace& space,
                                                        const VectorQuery& query,
                                                        const ChunkFilter& filter, size_t depth,
                                                        size_t most) {
  const size_t selected = CountPassing(model, filter);
  if (space.coarse_quantizer() == nullptr || 4 * selected < 3 * model.size()) {
    return SlowTwoStepRanking(model, query, filter, depth, most, 4 * depth);
  }
  const auto nearest = [&](uint64_t share) {
    return space.coarse_quantizer()->NearestLists(query.lists, model.size(), share * selected);
  };
  const std::span<const uint16_t> first = nearest(50);
  std::span<const uint16_t> all = nearest(4);
  VectorModel near = InLists(model, first);
  const std::vector<RetrieverHit> ranked = SlowSignCodeRanking(near, query, filter);
  VectorModel scored;
  if (!ranked.empty()) {
    const size_t fourth = std::min(std::max<size_t>(depth / 4, 1), ranked.size());
    scored = TakeBest(near, ranked, depth, ranked[fourth - 1].score);
    const auto best = SlowSearch(scored, query, {}, scored.size());
    const double reached = best[std::min<size_t>(100, best.size()) - 1].score;
    size_t count = first.size();
    while (count < all.size() && query.list_reaches[count] >= static_cast<float>(reached) - 0.12f) {
      ++count;
    }
    all = all.first(count);
    // Of the nearest lists, no more than the best `depth` are kept if the others do not matter.
    const double least =
        best.size() < 10 ? 0 : LeastSignCodeScore(query, static_cast<float>(best[9].score));
    if (ranked.size() > depth && least > ranked[depth - 1].score) {
      near = TakeBest(near, ranked, depth, 0);
    }
    near.merge(InLists(model, all.subspan(first.size())));
  }
  if (CountPassing(near, filter) < std::min(depth, selected)) {
    return SlowTwoStepRanking(model, query, filter, depth, most, 4 * depth, scored);
  }
  return SlowTwoStepRanking(near, query, filter, depth, most, most, scored);
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
