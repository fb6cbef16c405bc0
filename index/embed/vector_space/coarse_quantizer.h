#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

// The part of a model that contains the quantizer (storage/tables/model_table.h).
inline constexpr std::string_view kCoarseQuantizerPart = "cells";

// The list of a vector without an IVF list: its space has no lists, or the list was not computed.
inline constexpr uint16_t kNoList = 0xffff;

// Divides a vector space into IVF lists: a vector belongs to the list with the most similar
// centroid, and a search may omit the lists whose centroids are least similar to the query (the
// coarse quantiser of an inverted file: Jegou, Douze and Schmid, "Product quantization for nearest
// neighbor search", 2011). Centroids are quantised like vectors, but by one scale for all, so that
// integers decide: a vector has the same list on every CPU. Immutable; thread-safe.
class CoarseQuantizer final {
 public:
  static constexpr uint32_t kMostLists = 4096;

  // `centroids`: lists x dim components, list by list. `counts`: the number of vectors of a sample
  // in each list. `cosines`: the mean cosine of a vector of each list with the list's centroid,
  // 0 .. 1; empty if unknown. Requires: 1 .. kMostLists lists; dim > 0.
  CoarseQuantizer(uint32_t dim, const std::vector<int8_t>& centroids,
                  const std::vector<uint32_t>& counts, const std::vector<float>& cosines = {});

  // Opens the bytes of a part `cells` and keeps them. Errors: Corruption if they are inconsistent;
  // Unsupported for a newer version.
  static Result<CoarseQuantizer> Open(std::string bytes);
  const std::string& bytes() const { return bytes_; }

  uint32_t dim() const { return dim_; }  // padded
  uint32_t list_count() const { return list_count_; }

  // The list of a vector, which is that of the nearest centroid in nearly all cases: only centroids
  // that are similar enough in their first components are compared. Requires: dim() components.
  uint16_t ListOf(std::span<const int8_t> values) const;

  // All lists, most promising first, for a query of dim() components and 1 / their length.
  struct Ranking {
    std::vector<uint16_t> lists;
    // For each list, in the same order, the cosine that hardly any of its vectors exceeds. Empty if
    // the mean cosines are unknown; then lists are ordered by the similarity of their centroids.
    std::vector<float> reaches;
  };
  Ranking Rank(std::span<const int16_t> values, float scale) const;

  // The shortest prefix of these lists that contains at least numerator / denominator of the
  // sample. Requires: denominator > 0.
  std::span<const uint16_t> NearestLists(std::span<const uint16_t> ranked, uint64_t numerator,
                                         uint64_t denominator) const;

 private:
  explicit CoarseQuantizer(std::string bytes);
  uint32_t CountOf(uint32_t list) const;
  float CosineOf(uint32_t list) const;
  const int8_t* CentroidOf(uint32_t list) const;

  // The stored bytes are used as they are: a copy would double the time of a search.
  std::string bytes_;
  uint32_t dim_;
  uint32_t list_count_;
  bool has_cosines_;
  uint64_t sample_ = 0;
};

}  // namespace recall
