// Finds the nearest neighbours of each item of a window, by comparing all pairs.
//
// Problem. Score regularisation (rerank.cc) needs the five nearest of each of 300 items, in a
// fraction of a millisecond. Selecting them takes as long as the 45,000 dot products.
//
// Idea. A kernel multiplies one vector with all before it. The cosines form a symmetric matrix. A
// row of it is read twice: to find the fifth largest value, then to collect the values that reach
// it. Few values reach the limit, so sixteen are compared at once.
//
// Invariants. Products of int8 vectors are integers, and a cosine is one product of floats, so it
// is the same on every CPU and does not depend on the order of the items.
//
// Cost: O(n^2 d) for n items of d components: 11.5 million multiplications for 300 items of 256
// components, a quarter of a millisecond; about as long for the selection.

#include "query/ranking/neighbours.h"

#include <algorithm>
#include <array>
#include <bit>

#include "simd/kernels.h"

namespace recall {
namespace {

constexpr size_t kNearest = 5;

// A column of a matrix does not fit into the fastest cache, so it is mirrored in square tiles.
void MirrorLowerTriangle(std::vector<float>& matrix, size_t count) {
  constexpr size_t kTile = 16;
  for (size_t row = 0; row < count; row += kTile) {
    for (size_t column = 0; column <= row; column += kTile) {
      for (size_t i = row; i < std::min(row + kTile, count); ++i) {
        for (size_t j = column; j < std::min(column + kTile, i); ++j) {
          matrix[j * count + i] = matrix[i * count + j];
        }
      }
    }
  }
}

// The symmetric matrix of the cosines of all pairs of different items. Negative ones are 0, and so
// are those of an item without a vector and of an item with itself.
std::vector<float> PairwiseCosines(std::span<const RerankItem> items) {
  const size_t count = items.size();
  size_t dim = 0;
  for (const RerankItem& item : items) dim = std::max(dim, item.vector.size());
  const std::vector<int8_t> zero(dim);
  std::vector<const int8_t*> vectors;
  std::vector<float> scales;
  for (const RerankItem& item : items) {
    vectors.push_back(item.vector.size() == dim ? item.vector.data() : zero.data());
    scales.push_back(item.vector_scale);
  }
  std::vector<int32_t> products(count);
  std::vector<float> cosines(count * count);
  for (size_t i = 0; i < count; ++i) {
    DotI8Gather(vectors[i], vectors.data(), dim, i, products.data());
    for (size_t j = 0; j < i; ++j) {
      const float cosine = static_cast<float>(products[j]) * (scales[i] * scales[j]);
      cosines[i * count + j] = cosine > 0 ? cosine : 0;
    }
  }
  MirrorLowerTriangle(cosines, count);
  return cosines;
}

// Calls visit(index) for each value that is at least `limit`, which `visit` may raise. Requires: no
// value is negative. Such floats are in the order of their bits, and compilers use vectors for
// integers only.
template <typename Visit>
void ForEachAtLeast(std::span<const float> values, const float& limit, Visit visit) {
  constexpr size_t kAtOnce = 16;
  size_t at = 0;
  for (; at + kAtOnce <= values.size(); at += kAtOnce) {
    const auto least = std::bit_cast<int32_t>(limit);
    int32_t reached = 0;
    for (size_t i = at; i < at + kAtOnce; ++i) {
      reached |= static_cast<int32_t>(std::bit_cast<int32_t>(values[i]) >= least);
    }
    for (size_t i = at; reached != 0 && i < at + kAtOnce; ++i) {
      if (values[i] >= limit) visit(i);
    }
  }
  for (; at < values.size(); ++at) {
    if (values[at] >= limit) visit(at);
  }
}

// Requires: no value is negative. Returns: 0 if there are fewer than five.
float FifthLargest(std::span<const float> values) {
  std::array<float, kNearest> largest{};  // descending
  ForEachAtLeast(values, largest.back(), [&](size_t i) {
    const float value = values[i];
    size_t place = kNearest - 1;
    for (; place > 0 && largest[place - 1] < value; --place) largest[place] = largest[place - 1];
    largest[place] = value;
  });
  return largest.back();
}

}  // namespace

Neighbours FindNeighbours(std::span<const RerankItem> items) {
  const std::vector<float> cosines = PairwiseCosines(items);
  Neighbours found;
  found.all_.reserve(items.size() * kNearest);
  found.ends_.push_back(0);
  for (size_t i = 0; i < items.size(); ++i) {
    const std::span<const float> row(cosines.data() + i * items.size(), items.size());
    const float least = FifthLargest(row);
    ForEachAtLeast(row, least, [&](size_t j) {
      if (row[j] > 0) found.all_.push_back({static_cast<uint32_t>(j), row[j]});
    });
    found.ends_.push_back(static_cast<uint32_t>(found.all_.size()));
  }
  return found;
}

}  // namespace recall
