#pragma once

#include <cstdint>
#include <vector>

#include "storage/segment/segment_reader.h"

namespace recall {

// The content of a new segment. Sections are arrays of items of equal size, in memory, unpadded;
// the writer lays them on pages.
struct SegmentContent {
  struct Section {
    SectionKind kind;
    uint32_t item_bytes;
    std::vector<uint8_t> bytes;  // a multiple of item_bytes
  };
  uint32_t vectors = 0;  // 1 .. kMaxSegmentVectors
  uint32_t dim = 0;
  uint32_t min_chunk = 0;
  uint32_t max_chunk = 0;
  uint64_t space_hash = 0;  // identity of the vector space (embedder, dim, quantisation, rotation)
  uint32_t signature_bits = 0;
  uint64_t signature_seed = 0;
  std::vector<Section> sections;
};

// One roaring container, 16 MiB of int8 at 256 dimensions, far below SQLite's 1e9 BLOB limit.
inline constexpr uint32_t kMaxSegmentVectors = 65'536;

}  // namespace recall
