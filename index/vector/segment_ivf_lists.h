#pragma once

// Where the signatures of a segment lie whose space is divided into cells. What stands in the
// sections comes from disk: whatever it is, nothing beyond the segment is named.

#include <cstdint>
#include <span>
#include <vector>

#include "index/columns/column_segment.h"


namespace recall {

// Both null when signatures lie in the order of the vectors.
struct SegmentCells {
  const SectionView* ends = nullptr;   // u32: the slot behind the last of each cell
  const SectionView* slots = nullptr;  // u16: the ordinal of the vector

  // Requires: slot < slots->items(). Not below the segment's vectors when it is damaged.
  uint32_t OrdinalAt(uint32_t slot) const { return LoadLittle<uint16_t>(slots->item(slot)); }
};

// Only on the transaction's own thread.
Result<SegmentCells> OpenCells(const ColumnSegment& segment);

// The cell of each vector; kNoCell where the segment does not say. Requires: opened cells.
std::vector<uint16_t> CellsOfVectors(const ColumnSegment& segment,
                                     const SegmentCells& cells);

// Of the slots, those of these cells: bit i of word w stands for slot 32 * w + i.
// Requires: `cells` of the segment, not null.
std::vector<uint32_t> SlotsOfCells(const SegmentCells& cells, std::span<const uint16_t> of);

}  // namespace recall
