#include "index/search/vector/segment_ivf_lists.h"

#include <algorithm>
#include <string>

#include "index/embed/vector_space/coarse_quantizer.h"
#include "storage/base/checked_math.h"

namespace recall {
namespace {

constexpr uint32_t kListWordBits = 32;
constexpr uint32_t kEndBytes = 4;
constexpr uint32_t kSlotBytes = 2;

struct SlotRange {
  uint32_t first;
  uint32_t last;  // exclusive
};

SlotRange RangeOf(const SegmentIvfLists& lists, uint32_t list) {
  const auto end = [&](uint32_t of) {
    return std::min(LoadLittle<uint32_t>(lists.ends->item(of)), lists.slots->items());
  };
  const uint32_t first = list == 0 ? 0 : end(list - 1);
  return {first, std::max(first, end(list))};
}

void SetBits(uint32_t first, uint32_t last, std::vector<uint32_t>* words) {
  while (first < last) {
    const uint32_t word = first / kListWordBits;
    const uint32_t count = std::min(last - first, kListWordBits - first % kListWordBits);
    const uint32_t bits = count == kListWordBits ? ~uint32_t{0} : (uint32_t{1} << count) - 1;
    (*words)[word] |= bits << first % kListWordBits;
    first += count;
  }
}

}  // namespace

Result<SegmentIvfLists> OpenIvfLists(const ColumnSegment& segment) {
  const SegmentReader& reader = *segment.reader;
  SegmentIvfLists lists;
  if (reader.info().lists == 0) return lists;
  RECALL_ASSIGN(lists.ends,
                OpenSection(reader, SectionKind::kCellEnds, kEndBytes, reader.info().lists));
  RECALL_ASSIGN(lists.slots, OpenSection(reader, SectionKind::kSlots, kSlotBytes, segment.vectors));
  return lists;
}

std::vector<uint16_t> ListsOfVectors(const ColumnSegment& segment, const SegmentIvfLists& lists) {
  std::vector<uint16_t> of(segment.vectors, kNoList);
  if (lists.ends == nullptr) return of;
  for (uint32_t list = 0; list < std::min<uint32_t>(lists.ends->items(), kNoList); ++list) {
    const SlotRange range = RangeOf(lists, list);
    for (uint32_t slot = range.first; slot < range.last; ++slot) {
      const uint32_t ordinal = lists.OrdinalAt(slot);
      if (ordinal < segment.vectors) of[ordinal] = static_cast<uint16_t>(list);
    }
  }
  return of;
}

std::vector<uint32_t> SlotsOfLists(const SegmentIvfLists& lists, std::span<const uint16_t> of) {
  std::vector<uint32_t> words(DivideRoundUp(lists.slots->items(), kListWordBits));
  for (const uint16_t list : of) {
    // Lists after the last non-empty one are not written.
    if (list >= lists.ends->items()) continue;
    const SlotRange range = RangeOf(lists, list);
    SetBits(range.first, range.last, &words);
  }
  return words;
}

}  // namespace recall
