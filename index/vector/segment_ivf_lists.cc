#include "index/vector/segment_ivf_lists.h"

#include <algorithm>
#include <string>

#include "index/vector_space/coarse_quantizer.h"
#include "storage/base/checked_math.h"

namespace recall {
namespace {

constexpr uint32_t kWordBits = 32;
constexpr uint32_t kEndBytes = 4;
constexpr uint32_t kSlotBytes = 2;

struct SlotRange {
  uint32_t first;
  uint32_t last;  // one behind
};

SlotRange RangeOf(const SegmentCells& cells, uint32_t cell) {
  const auto end = [&](uint32_t of) {
    return std::min(LoadLittle<uint32_t>(cells.ends->item(of)), cells.slots->items());
  };
  const uint32_t first = cell == 0 ? 0 : end(cell - 1);
  return {first, std::max(first, end(cell))};
}

void SetBits(uint32_t first, uint32_t last, std::vector<uint32_t>* words) {
  while (first < last) {
    const uint32_t word = first / kWordBits;
    const uint32_t count = std::min(last - first, kWordBits - first % kWordBits);
    const uint32_t bits = count == kWordBits ? ~uint32_t{0} : (uint32_t{1} << count) - 1;
    (*words)[word] |= bits << first % kWordBits;
    first += count;
  }
}

}  // namespace

Result<SegmentCells> OpenCells(const ColumnSegment& segment) {
  const SegmentReader& reader = *segment.reader;
  SegmentCells cells;
  if (reader.info().cells == 0) return cells;
  RECALL_ASSIGN(cells.ends,
                OpenSection(reader, SectionKind::kCellEnds, kEndBytes, reader.info().cells));
  RECALL_ASSIGN(cells.slots, OpenSection(reader, SectionKind::kSlots, kSlotBytes, segment.vectors));
  return cells;
}

std::vector<uint16_t> CellsOfVectors(const ColumnSegment& segment,
                                     const SegmentCells& cells) {
  std::vector<uint16_t> of(segment.vectors, kNoCell);
  if (cells.ends == nullptr) return of;
  for (uint32_t cell = 0; cell < std::min<uint32_t>(cells.ends->items(), kNoCell); ++cell) {
    const SlotRange range = RangeOf(cells, cell);
    for (uint32_t slot = range.first; slot < range.last; ++slot) {
      const uint32_t ordinal = cells.OrdinalAt(slot);
      if (ordinal < segment.vectors) of[ordinal] = static_cast<uint16_t>(cell);
    }
  }
  return of;
}

std::vector<uint32_t> SlotsOfCells(const SegmentCells& cells, std::span<const uint16_t> of) {
  std::vector<uint32_t> words(DivideRoundUp(cells.slots->items(), kWordBits));
  for (const uint16_t cell : of) {
    // Cells behind the last that has vectors are not written.
    if (cell >= cells.ends->items()) continue;
    const SlotRange range = RangeOf(cells, cell);
    SetBits(range.first, range.last, &words);
  }
  return words;
}

}  // namespace recall
