#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "query/ask/ranking/rerank_item.h"

namespace recall {

// The graph of score regularisation: for each item of a window the items with the most similar
// vectors. Immutable; thread-safe.
class Neighbours final {
 public:
  struct Neighbour {
    uint32_t item;  // index in the window
    float cosine;   // above 0
  };
  // A graph without items.
  Neighbours() = default;

  // Requires: item < the number of items.
  std::span<const Neighbour> Of(size_t item) const {
    return std::span(all_).subspan(ends_[item], ends_[item + 1] - ends_[item]);
  }

 private:
  friend Neighbours FindNeighbours(std::span<const RerankItem> items);

  std::vector<Neighbour> all_;
  std::vector<uint32_t> ends_;  // by item: the end of the item before it, in all_; then the end
};

// Finds for each item the five others whose vectors have the greatest cosines above 0, and those
// that tie with the fifth, in the order of the items. Fewer if there are fewer; none for an item
// without a vector. Reads only the vectors of the items. Thread-safe. The result is the same on
// every CPU.
Neighbours FindNeighbours(std::span<const RerankItem> items);

}  // namespace recall
