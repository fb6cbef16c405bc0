#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

// The part of a model that holds it (storage/tables/model_table.h).
inline constexpr std::string_view kCoarseQuantizerPart = "cells";

// Of a vector that lies in none, because its space has no lists or nobody has looked.
inline constexpr uint16_t kNoList = 0xffff;

// Divides a vector space into lists: a vector lies in the one whose centroid is most like it, and a
// search may pass over the lists whose centroids are least like the question (the coarse quantiser
// of an inverted file: Jegou, Douze and Schmid, "Product quantization for nearest neighbor search",
// 2011). The centroids are quantised as vectors are, by one scale for all, so that integers decide:
// the same list on every CPU. Immutable; thread-safe.
class CoarseQuantizer final {
 public:
  static constexpr uint32_t kMostLists = 4096;

  // `centroids`: lists x dim components, one list after the other. `counts`: how many vectors of a
  // sample lie in each. Requires: 1 .. kMostLists of them; dim > 0.
  CoarseQuantizer(uint32_t dim, const std::vector<int8_t>& centroids,
                  const std::vector<uint32_t>& counts);

  // Of the bytes of a part `lists`, which it keeps. Errors: Corruption when they contradict
  // themselves; Unsupported.
  static Result<CoarseQuantizer> Open(std::string bytes);
  const std::string& bytes() const { return bytes_; }

  uint32_t dim() const { return dim_; }  // padded
  uint32_t list_count() const { return list_count_; }

  // The list of a vector: that of the centroid most like it, of those that are nearly the most like
  // it in their first components. Requires: dim() components.
  uint16_t ListOf(std::span<const int8_t> values) const;

  // All lists, that whose centroid is most like the question first. Requires: dim() components.
  std::vector<uint16_t> Rank(std::span<const int16_t> values) const;

  // The first of these lists that hold at least numerator / denominator of the sample.
  // Requires: denominator > 0.
  std::span<const uint16_t> NearestLists(std::span<const uint16_t> ranked, uint64_t numerator,
                                         uint64_t denominator) const;

 private:
  explicit CoarseQuantizer(std::string bytes);
  uint32_t CountOf(uint32_t list) const;
  const int8_t* CentroidOf(uint32_t list) const;

  // As one array, which is read from the store: a copy would take a search as long again.
  std::string bytes_;
  uint32_t dim_;
  uint32_t list_count_;
  uint64_t sample_ = 0;
};

}  // namespace recall
