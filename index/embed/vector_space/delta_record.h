#pragma once

#include <cstddef>
#include <string>

#include "index/embed/vector_space/vector_space.h"
#include "storage/base/coding.h"

namespace recall {

// One vector in the delta of the store (docs/format/store.md, "Vectors"), little-endian. padded_dim
// int8 components follow; in a space with IVF lists, the vector's list follows as a u16. Never
// change a field: vec_tail has no version of its own.
struct DeltaRecordHeader {
  float scale;
  uint16_t lexical_tokens;  // both counts saturate at 65535, as in segments
  uint16_t tokens;
};
static_assert(offsetof(DeltaRecordHeader, scale) == 0);
static_assert(offsetof(DeltaRecordHeader, lexical_tokens) == 4);
static_assert(offsetof(DeltaRecordHeader, tokens) == 6);
static_assert(sizeof(DeltaRecordHeader) == 8);

std::string EncodeDeltaRecord(const ChunkVector& vector);

// Decodes a record. Errors: Corruption if it does not have the size of a record of `space`, or if
// its scale is impossible.
Result<ChunkVector> DecodeDeltaRecord(uint32_t chunk, ByteSpan record, const VectorGeometry& space);

// Scales of unit vectors are in 0 .. 1/127. The check rejects values from disk that cannot be a
// scale.
inline bool IsPlausibleScale(float scale) { return scale >= 0 && scale <= 1; }

inline uint16_t SaturateTokens(uint32_t tokens) {
  return static_cast<uint16_t>(tokens < 65535 ? tokens : 65535);
}

}  // namespace recall
