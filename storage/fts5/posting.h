#pragma once

#include <cstdint>
#include <vector>

namespace recall {

// One row that contains a phrase, and the number of occurrences in both columns together.
struct Posting {
  uint32_t row;
  uint32_t count;
  bool operator==(const Posting&) const = default;
};

// Rows ascend, each occurs once.
using PostingList = std::vector<Posting>;

}  // namespace recall
