#pragma once

#include <cstdint>
#include <span>

#include "index/search/vector/vector_sections.h"
#include "storage/base/status.h"

namespace recall {

// The checksum of a vector of a segment (SectionKind::kVectorChecksums): CRC-32C of its chunk rowid
// (u32), its scale (f32), both little-endian, and its components.
//
// A search reads about a thousand vectors, each on another page. Comparing whole pages would read
// 256 times as much as the search; one checksum per vector costs some 30 ns.
uint32_t VectorChecksum(uint32_t chunk, float scale, const int8_t* values, size_t dim);

// Compares vectors that were read from `sections` with their checksums, if they have any. At most
// kMostVerified at once: ordinals[i] has values[i] and scales[i]. Errors: Corruption. Thread-safe.
inline constexpr size_t kMostVerified = 1024;
Status VerifyVectors(const VectorSections& sections, std::span<const uint32_t> ordinals,
                     std::span<const int8_t* const> values, std::span<const float> scales);

}  // namespace recall
