#pragma once

// Where the sign codes of a segment lie whose space is divided into lists. What stands in the
// sections comes from disk: whatever it is, nothing beyond the segment is named.

#include <cstdint>
#include <span>
#include <vector>

#include "index/columns/column_segment.h"

namespace recall {

// Both null when sign codes lie in the order of the vectors.
struct SegmentIvfLists {
  const SectionView* ends = nullptr;   // u32: the slot behind the last of each list
  const SectionView* slots = nullptr;  // u16: the ordinal of the vector

  // Requires: slot < slots->items(). Not below the segment's vectors when it is damaged.
  uint32_t OrdinalAt(uint32_t slot) const { return LoadLittle<uint16_t>(slots->item(slot)); }
};

// Only on the transaction's own thread.
Result<SegmentIvfLists> OpenIvfLists(const ColumnSegment& segment);

// The list of each vector; kNoList where the segment does not say. Requires: opened lists.
std::vector<uint16_t> ListsOfVectors(const ColumnSegment& segment, const SegmentIvfLists& lists);

// Of the slots, those of these lists: bit i of word w stands for slot 32 * w + i.
// Requires: `lists` of the segment, not null.
std::vector<uint32_t> SlotsOfLists(const SegmentIvfLists& lists, std::span<const uint16_t> of);

}  // namespace recall
