#pragma once

#include <cstddef>
#include <string>

#include "index/vector_space/vector_space.h"
#include "storage/base/coding.h"

namespace recall {

// How one vector waits in the delta of the store (docs/format/store.md, "Vectors"), little-endian.
// padded_dim int8 components follow, then, of a space with lists, the vector's as a u16. Never
// change a row: vec_tail has no version of its own.
struct DeltaRecordHeader {
  float scale;
  uint16_t lexical_tokens;  // these two saturate at 65535, here as in segments
  uint16_t tokens;
};
static_assert(offsetof(DeltaRecordHeader, scale) == 0);
static_assert(offsetof(DeltaRecordHeader, lexical_tokens) == 4);
static_assert(offsetof(DeltaRecordHeader, tokens) == 6);
static_assert(sizeof(DeltaRecordHeader) == 8);

std::string EncodeDeltaRecord(const ChunkVector& vector);

// Corruption when `record` does not have the size of `space` or its scale makes no sense.
Result<ChunkVector> DecodeDeltaRecord(uint32_t chunk, ByteSpan record, const VectorSpace& space);

// Scales of unit vectors lie in 0 .. 1/127; whatever else comes from disk is not one.
inline bool IsPlausibleScale(float scale) { return scale >= 0 && scale <= 1; }

inline uint16_t SaturateTokens(uint32_t tokens) {
  return static_cast<uint16_t>(tokens < 65535 ? tokens : 65535);
}

}  // namespace recall
