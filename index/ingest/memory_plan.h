#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace recall {

// How an ingest, and what it learns, stay within about so many bytes of memory, whatever the amount
// of text. What is not planned takes about 200 MiB, and 280 for a moment while a model is learnt:
// SQLite's cache, a batch and its postings, the matrices of the training.
struct MemoryPlan {
  int64_t in_flight_bytes;   // of text under way; six times that is put by for its terms and blocks
  uint64_t largest_file;     // a single file is held whole, its terms piece by piece
  size_t term_list_entries;  // of four bytes each, when no text is under way any more
};

inline constexpr uint64_t kDefaultMemory = uint64_t{512} << 20;
inline constexpr uint64_t kLeastMemory = uint64_t{320} << 20;

// Requires: bytes >= kLeastMemory. More than kDefaultMemory makes nothing faster, but lets larger
// files in.
inline MemoryPlan PlanMemory(uint64_t bytes) {
  const uint64_t spare = bytes - (uint64_t{208} << 20);
  const uint64_t batch = uint64_t{40} << 20;  // what it takes beyond that
  return {
      .in_flight_bytes = static_cast<int64_t>(std::min<uint64_t>((spare - batch) / 6, 48 << 20)),
      .largest_file = spare / 2,
      .term_list_entries = static_cast<size_t>(std::min<uint64_t>(spare / 8, 32 << 20))};
}

}  // namespace recall
