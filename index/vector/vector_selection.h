#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "index/filter/bitmap.h"
#include "index/vector/chunk_columns_internal.h"
#include "simd/kernels.h"

namespace recall {

// Vectors first .. first + count - 1 of a segment.
struct OrdinalRun {
  uint32_t first;
  uint32_t count;
};

// Which vectors of a segment pass a filter: one bit each, 32 a word as in signature blocks.
class VectorSelection final {
 public:
  VectorSelection(const ChunkColumns::Segment& segment, const ChunkFilter& filter);

  uint32_t count() const { return count_; }
  // Bit v stands for vector 32 * block + v; bits past the last vector are 0.
  uint32_t Mask(uint32_t block) const { return masks_.empty() ? FullMask(block) : masks_[block]; }
  // The first maximal run of selected vectors at or after `from`, cut at `limit`; count 0 when
  // there is none. Requires: limit <= vectors of the segment.
  OrdinalRun NextRun(uint32_t from, uint32_t limit) const;

 private:
  uint32_t FullMask(uint32_t block) const {
    const uint32_t left = vectors_ - block * static_cast<uint32_t>(kSignatureBlock);
    return left >= 32 ? ~uint32_t{0} : (uint32_t{1} << left) - 1;
  }

  uint32_t vectors_;
  uint32_t count_;
  std::vector<uint32_t> masks_;  // empty: all, or none when count_ is 0
};

}  // namespace recall
