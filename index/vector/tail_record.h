#pragma once

#include <string>

#include "index/vector/vector_space.h"
#include "storage/base/coding.h"

namespace recall {

// How one vector waits in the tail of the store, little-endian:
//   f32 scale | u16 lexical tokens | u16 tokens | int8 x padded_dim
// Token counts saturate at 65535, here as in segments.
std::string EncodeTailRecord(const ChunkVector& vector);

// Corruption when `record` does not have the size of `space` or its scale makes no sense.
Result<ChunkVector> DecodeTailRecord(uint32_t chunk, ByteSpan record, const VectorSpace& space);

// Scales of unit vectors lie in 0 .. 1/127; whatever else comes from disk is not one.
inline bool IsPlausibleScale(float scale) { return scale >= 0 && scale <= 1; }

inline uint16_t SaturateTokens(uint32_t tokens) {
  return static_cast<uint16_t>(tokens < 65535 ? tokens : 65535);
}

}  // namespace recall
