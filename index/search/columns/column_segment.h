#pragma once

#include <cstdint>
#include <optional>

#include "storage/base/coding.h"
#include "storage/base/result.h"
#include "storage/segment/segment_reader.h"

namespace recall {

// What every query needs of a segment: the chunks of its vectors. The vectors are opened by
// OpenVectors, the token counts by OpenTokenCounts.
struct ColumnSegment {
  const SegmentReader* reader = nullptr;
  const SectionView* ids = nullptr;  // u32 chunk - min_chunk, ascending; null when dense
  uint32_t vectors = 0;
  uint32_t min_chunk = 0;
  uint32_t max_chunk = 0;
  // The number of vectors in all segments before: ordinal + first_position is unique in the store
  // and ascends with the chunk rowid.
  uint32_t first_position = 0;

  static Result<ColumnSegment> Open(const SegmentReader& reader);

  // Whether no chunk of the range is missing, so that ordinals need no look-up.
  bool dense() const { return max_chunk - min_chunk == vectors - 1; }
  uint32_t ChunkAt(uint32_t ordinal) const {
    return dense() ? min_chunk + ordinal : min_chunk + LoadLittle<uint32_t>(ids->item(ordinal));
  }
  // The first ordinal >= `from` whose chunk is >= `chunk`, or `vectors`. Uses galloping search, so
  // a walk over ascending chunks costs little more than the number of chunks requested.
  uint32_t LowerBound(uint32_t from, uint32_t chunk) const;
  // The ordinal of `chunk`; the search begins at `from`.
  std::optional<uint32_t> Find(uint32_t chunk, uint32_t from = 0) const;
};

// Opens a section and checks its item size and count. Errors: Corruption if it does not have them.
Result<const SectionView*> OpenSection(const SegmentReader& reader, SectionKind kind,
                                       uint32_t item_bytes, uint64_t items);

// u16 lexical tokens, u16 tokens of each chunk. Call it only on the transaction's thread.
Result<const SectionView*> OpenTokenCounts(const ColumnSegment& segment);
inline constexpr uint32_t kTokenCountBytes = 4;  // bytes of an item of SectionKind::kTokenCounts

}  // namespace recall
