#pragma once

#include <cstdint>

#include "index/vector/vector_sections.h"
#include "storage/base/status.h"

namespace recall {

// The checksum of a vector of a segment (SectionKind::kVectorChecksums): CRC-32C of its chunk rowid
// (u32), its scale (f32), both little-endian, and its components.
//
// A search reads about a thousand vectors, each on another page. Comparing whole pages would read
// 256 times as much as the search; one checksum per vector costs some 30 ns.
uint32_t VectorChecksum(uint32_t chunk, float scale, const int8_t* values, size_t dim);

// Compares a vector that was read from `sections` with its checksum, if it has one.
// Errors: Corruption. Thread-safe.
Status VerifyVector(const VectorSections& sections, uint32_t ordinal, const int8_t* values,
                    float scale);

}  // namespace recall
