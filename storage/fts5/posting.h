#pragma once

#include <cstdint>
#include <vector>

namespace recall {

// One row that holds a phrase, and how often (both columns together).
struct Posting {
  uint32_t row;
  uint32_t count;
  bool operator==(const Posting&) const = default;
};

// Rows ascending, each once.
using PostingList = std::vector<Posting>;

}  // namespace recall
