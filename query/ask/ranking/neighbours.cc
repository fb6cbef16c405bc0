// Finds the nearest neighbours of each item of a window, by comparing all pairs.
//
// Problem. Score regularisation (rerank.cc) needs the five nearest of each of 300 items, in a
// fraction of a millisecond. Selecting them must not take longer than the 45,000 dot products.
//
// Idea. One kernel multiplies all pairs, another one selects the five greatest cosines of an item.
//
// Invariants. Products of int8 vectors are integers, and a cosine is one product of floats, so it
// is the same on every CPU and does not depend on the order of the items.
//
// Cost: O(n^2 d) for n items of d components: 11.5 million multiplications for 300 items of 256
// components, a fifth of a millisecond; a tenth of that for the selection.

#include "query/ask/ranking/neighbours.h"

#include <algorithm>
#include <memory>

#include "simd/kernels.h"

namespace recall {
namespace {

constexpr size_t kNearest = 5;

// The products of all pairs of items. An item without a vector has the zero vector.
std::unique_ptr<int32_t[]> MultiplyPairs(std::span<const RerankItem> items) {
  size_t dim = 0;
  for (const RerankItem& item : items) dim = std::max(dim, item.vector.size());
  const std::vector<int8_t> zero(dim);
  std::vector<const int8_t*> vectors;
  for (const RerankItem& item : items) {
    vectors.push_back(item.vector.size() == dim ? item.vector.data() : zero.data());
  }
  auto products = std::make_unique_for_overwrite<int32_t[]>(items.size() * items.size());
  DotI8Pairs(vectors.data(), dim, items.size(), products.get());
  return products;
}

}  // namespace

Neighbours FindNeighbours(std::span<const RerankItem> items) {
  const size_t count = items.size();
  const std::unique_ptr<int32_t[]> products = MultiplyPairs(items);
  std::vector<float> scales;
  for (const RerankItem& item : items) scales.push_back(item.vector_scale);
  std::vector<uint32_t> near(count);
  std::vector<float> cosines(count);
  Neighbours found;
  found.all_.reserve(count * kNearest);
  found.ends_.push_back(0);
  for (size_t i = 0; i < count; ++i) {
    products[i * count + i] = 0;  // an item is not its own neighbour
    const size_t selected = SelectNearCosines(products.get() + i * count, scales.data(), scales[i],
                                              count, kNearest, near.data(), cosines.data());
    for (size_t n = 0; n < selected; ++n) found.all_.push_back({near[n], cosines[n]});
    found.ends_.push_back(static_cast<uint32_t>(found.all_.size()));
  }
  return found;
}

}  // namespace recall
