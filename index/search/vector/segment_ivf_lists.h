#pragma once

// The IVF lists of a segment: which slots of the sign codes belong to which list, and which vector
// a slot stands for. The contents of the sections come from disk; whatever they contain, no slot
// beyond the segment is returned.

#include <cstdint>
#include <span>
#include <vector>

#include "index/search/columns/column_segment.h"

namespace recall {

// Both are null if sign codes are stored in the order of the vectors.
struct SegmentIvfLists {
  const SectionView* ends = nullptr;   // u32: for each list the slot after its last
  const SectionView* slots = nullptr;  // u16: for each slot the ordinal of the vector

  // Requires: slot < slots->items(). In a damaged segment the result may be too large.
  uint32_t OrdinalAt(uint32_t slot) const { return LoadLittle<uint16_t>(slots->item(slot)); }
};

// Call it only on the transaction's thread.
Result<SegmentIvfLists> OpenIvfLists(const ColumnSegment& segment);

// The IVF list of each vector; kNoList if the segment does not have it. Requires: lists opened by
// OpenIvfLists.
std::vector<uint16_t> ListsOfVectors(const ColumnSegment& segment, const SegmentIvfLists& lists);

// Returns: the slots of the IVF lists `of` as a bitmap: bit i of word w stands for slot 32 * w + i.
// Requires: the segment has IVF lists.
std::vector<uint32_t> SlotsOfLists(const SegmentIvfLists& lists, std::span<const uint16_t> of);

}  // namespace recall
