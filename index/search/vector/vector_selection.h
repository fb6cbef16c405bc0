#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "index/search/bitmap/bitmap.h"
#include "index/search/columns/column_segment.h"
#include "simd/kernels.h"

namespace recall {

// Vectors first .. first + count - 1 of a segment.
struct OrdinalRun {
  uint32_t first;
  uint32_t count;
};

// The chunks of a range of at most kChunks rowids that pass a filter, as bits. Testing many rowids
// in turn costs less here than look-ups in the bitmaps. Rowids are counted from `base`.
class ChunkWindow final {
 public:
  // The size of a roaring container; its bits fit the L1 cache.
  static constexpr uint32_t kChunks = 65'536;

  // Covers the rowids base + first .. base + last. Requires: first <= last < first + kChunks.
  ChunkWindow(const ChunkFilter& filter, uint32_t base, uint32_t first, uint32_t last);

  bool none() const { return count_ == 0; }
  bool all() const { return count_ == size_; }
  // Whether rowid base + id passes. If the id is outside of the window, which happens only in a
  // damaged segment, the result is unspecified.
  bool Has(uint32_t id) const {
    const uint32_t at = std::min(id - first_, size_ - 1);
    return words_[at / 32] >> at % 32 & 1;
  }
  // The result for 32 ids at once: bit i stands for ids[i]. Requires: 32 little-endian u32,
  // ascending.
  uint32_t Block(const uint8_t* ids) const;

 private:
  uint32_t From(uint32_t id) const;
  uint32_t BitByBit(const uint8_t* ids) const;

  uint32_t first_;
  uint32_t size_;
  uint64_t count_;
  std::array<uint32_t, kChunks / 32 + 1> words_;  // one more word, read beyond the last
};

// The vectors of a segment that pass a filter: one bit each, 32 in a word as in sign-code blocks.
class VectorSelection final {
 public:
  VectorSelection(const ColumnSegment& segment, const ChunkFilter& filter);

  uint32_t count() const { return count_; }
  // Bit v stands for vector 32 * block + v; bits past the last vector are 0.
  uint32_t Mask(uint32_t block) const { return masks_.empty() ? FullMask(block) : masks_[block]; }
  // Requires: ordinal < vectors of the segment.
  bool Has(uint32_t ordinal) const { return Mask(ordinal / 32) >> ordinal % 32 & 1; }
  // Mask(block) of all blocks; null when every vector is selected, or none.
  const uint32_t* masks() const { return masks_.empty() ? nullptr : masks_.data(); }
  // The first maximal run of selected vectors at or after `from`, cut at `limit`; count 0 if there
  // is none. Requires: limit <= vectors of the segment.
  OrdinalRun NextRun(uint32_t from, uint32_t limit) const;

 private:
  uint32_t FullMask(uint32_t block) const {
    const uint32_t left = vectors_ - block * static_cast<uint32_t>(kSignCodeBlock);
    return left >= 32 ? ~uint32_t{0} : (uint32_t{1} << left) - 1;
  }

  uint32_t vectors_;
  uint32_t count_;
  std::vector<uint32_t> masks_;  // empty: all, or none when count_ is 0
};

}  // namespace recall
