#pragma once

#include <cstring>
#include <string>

#include "storage/base/result.h"
#include "storage/segment/segment_reader.h"

namespace recall {

inline Status OtherBytesInPlace(int64_t segment) {
  return Status::Corruption("segment " + std::to_string(segment) +
                            ": the mapping shows other bytes than SQLite");
}

inline bool SameBytes(const SectionView& a, const SectionView& b) {
  if (a.items() != b.items() || a.pages() != b.pages()) return false;
  for (uint32_t page = 0; page < a.pages(); ++page) {
    const size_t bytes = size_t{a.items_on_page(page)} * a.item_bytes();
    if (std::memcmp(a.page(page), b.page(page), bytes) != 0) return false;
  }
  return true;
}

// Compares a segment read through the mapping with the same segment read by copy, in the same
// transaction. Errors: Corruption if they differ.
inline Status CompareSegment(const SegmentReader& in_place, const SegmentReader& copy) {
  for (const SectionKind kind :
       {SectionKind::kSignatures, SectionKind::kChunkIds, SectionKind::kVectors,
        SectionKind::kScales, SectionKind::kTokenCounts}) {
    // A segment of a store without a trained model has no vectors.
    const bool with_vectors = in_place.info().dim > 0;
    const bool always = kind == SectionKind::kChunkIds || kind == SectionKind::kTokenCounts;
    if (!with_vectors && !always) continue;
    RECALL_ASSIGN(const SectionView* mapped, in_place.Section(kind));
    RECALL_ASSIGN(const SectionView* copied, copy.Section(kind));
    RECALL_TRY(mapped->NeedRange(0, mapped->items()));
    if (!SameBytes(*mapped, *copied)) return OtherBytesInPlace(in_place.info().id);
  }
  return Status::Ok();
}

}  // namespace recall
