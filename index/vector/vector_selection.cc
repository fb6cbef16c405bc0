#include "index/vector/vector_selection.h"

#include <algorithm>

#include "storage/base/checked_math.h"

namespace recall {
namespace {

// One bit for each vector whose chunk is a member.
std::vector<uint32_t> MemberMasks(const ChunkColumns::Segment& segment, const Bitmap& chunks) {
  std::vector<uint32_t> masks(DivideRoundUp(segment.vectors, kSignatureBlock));
  const auto add = [&](uint32_t ordinal) { masks[ordinal / 32] |= uint32_t{1} << (ordinal % 32); };
  if (segment.dense()) {
    chunks.CopyBits(segment.min_chunk, segment.max_chunk, masks);
  } else if (chunks.CountRange(segment.min_chunk, segment.max_chunk) > segment.vectors) {
    for (uint32_t ordinal = 0; ordinal < segment.vectors; ++ordinal) {
      if (chunks.Contains(segment.ChunkAt(ordinal))) add(ordinal);
    }
  } else {
    uint32_t ordinal = 0;
    for (const uint32_t chunk : chunks.ValuesIn(segment.min_chunk, segment.max_chunk)) {
      ordinal = segment.LowerBound(ordinal, chunk);
      if (ordinal == segment.vectors) break;
      if (segment.ChunkAt(ordinal) == chunk) add(ordinal);
    }
  }
  return masks;
}

bool Covers(const Bitmap& chunks, const ChunkColumns::Segment& segment) {
  return chunks.CountRange(segment.min_chunk, segment.max_chunk) ==
         uint64_t{segment.max_chunk} - segment.min_chunk + 1;
}

bool Misses(const Bitmap& chunks, const ChunkColumns::Segment& segment) {
  return chunks.CountRange(segment.min_chunk, segment.max_chunk) == 0;
}

}  // namespace

VectorSelection::VectorSelection(const ChunkColumns::Segment& segment, const ChunkFilter& filter)
    : vectors_(segment.vectors), count_(segment.vectors) {
  const bool all_allowed = !filter.allowed || Covers(*filter.allowed, segment);
  const bool none_removed = !filter.removed || Misses(*filter.removed, segment);
  if (all_allowed && none_removed) return;
  count_ = 0;
  if (filter.allowed && Misses(*filter.allowed, segment)) return;

  std::vector<uint32_t> masks;
  if (all_allowed) {
    masks.resize(DivideRoundUp(vectors_, kSignatureBlock));
    for (uint32_t block = 0; block < masks.size(); ++block) masks[block] = FullMask(block);
  } else {
    masks = MemberMasks(segment, *filter.allowed);
  }
  if (!none_removed) {
    const std::vector<uint32_t> removed = MemberMasks(segment, *filter.removed);
    for (size_t block = 0; block < masks.size(); ++block) masks[block] &= ~removed[block];
  }
  for (const uint32_t mask : masks) count_ += static_cast<uint32_t>(std::popcount(mask));
  if (count_ != 0) masks_ = std::move(masks);
}

OrdinalRun VectorSelection::NextRun(uint32_t from, uint32_t limit) const {
  if (count_ == 0 || from >= limit) return {limit, 0};
  if (masks_.empty()) return {from, limit - from};
  uint32_t first = from;
  while (first < limit) {
    const uint32_t bits = masks_[first / 32] >> (first % 32);
    if (bits != 0) {
      first += static_cast<uint32_t>(std::countr_zero(bits));
      break;
    }
    first = (first / 32 + 1) * 32;
  }
  if (first >= limit) return {limit, 0};
  uint32_t end = first;
  while (end < limit) {
    const uint32_t ones = static_cast<uint32_t>(std::countr_one(masks_[end / 32] >> (end % 32)));
    end += ones;
    if (ones == 0 || end % 32 != 0) break;
  }
  return {first, std::min(end, limit) - first};
}

}  // namespace recall
