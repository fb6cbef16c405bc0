#pragma once

#include <cstdint>

#include "index/embed/vector_space/vector_space.h"
#include "index/search/columns/column_segment.h"

namespace recall {

// The sections from which vectors are scored; all null in a space without components.
struct VectorSections {
  const ColumnSegment* segment = nullptr;
  const SectionView* vectors = nullptr;     // int8 x padded_dim
  const SectionView* scales = nullptr;      // f32
  const SectionView* checksums = nullptr;   // u32; null if vectors are not verified
  const SectionView* sign_codes = nullptr;  // blocks of 32 slots; null unless requested
};

// Call it only on the transaction's thread. `segment` must outlive the result.
Result<VectorSections> OpenVectors(const ColumnSegment& segment, const VectorGeometry& space,
                                   bool with_sign_codes);

// The number of sign-code bytes of one block of kSignCodeBlock vectors.
uint32_t SignCodeBlockBytes(const VectorGeometry& space);

}  // namespace recall
