#pragma once

// What index/vector knows of one segment.

#include <optional>

#include "index/vector/chunk_columns.h"
#include "storage/segment/segment_reader.h"

namespace recall {

// The columns every question may need, opened at once; vectors are opened by OpenVectors.
struct ChunkColumns::Segment {
  const SegmentReader* reader = nullptr;
  const SectionView* ids = nullptr;     // u32 chunk - min_chunk, ascending; null when dense
  const SectionView* counts = nullptr;  // u16 lexical tokens, u16 tokens
  uint32_t vectors = 0;
  uint32_t min_chunk = 0;
  uint32_t max_chunk = 0;
  // Number of vectors in the segments before: ordinal + first_position is unique in the store and
  // ascends with the chunk row.
  uint32_t first_position = 0;

  static Result<Segment> Open(const SegmentReader& reader);

  // No chunk of the range is missing, so ordinals need no look-up.
  bool dense() const { return max_chunk - min_chunk == vectors - 1; }
  uint32_t ChunkAt(uint32_t ordinal) const {
    return dense() ? min_chunk + ordinal : min_chunk + LoadLittle<uint32_t>(ids->item(ordinal));
  }
  // The first ordinal >= `from` whose chunk is >= `chunk`, or `vectors`. Gallops, so that a walk
  // over ascending chunks costs little more than the chunks it asks for.
  uint32_t LowerBound(uint32_t from, uint32_t chunk) const;
  // The ordinal of `chunk`, looked for from `from` on.
  std::optional<uint32_t> Find(uint32_t chunk, uint32_t from = 0) const;
};

// A section of this shape. Errors: Corruption when there is none.
Result<const SectionView*> OpenSection(const SegmentReader& reader, SectionKind kind,
                                       uint32_t item_bytes, uint64_t items);

// The sections vectors are scored from; all null in a space without components.
struct VectorSections {
  const SectionView* vectors = nullptr;     // int8 x padded_dim
  const SectionView* scales = nullptr;      // f32
  const SectionView* signatures = nullptr;  // blocks of 32 slots; null unless asked for
};

// Only on the transaction's own thread.
Result<VectorSections> OpenVectors(const ChunkColumns::Segment& segment, const VectorSpace& space,
                                   bool with_signatures);

// Signature bytes of one block of kSignatureBlock vectors.
uint32_t SignatureBlockBytes(const VectorSpace& space);

// Reads the whole tail, oldest first.
Result<std::vector<ChunkVector>> ReadTail(const ReadTransaction& transaction,
                                          const VectorSpace& space);

}  // namespace recall
