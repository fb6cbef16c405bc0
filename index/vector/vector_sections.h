#pragma once

#include <cstdint>

#include "index/columns/column_segment.h"
#include "index/vector_space/vector_space.h"

namespace recall {

// The sections vectors are scored from; all null in a space without components.
struct VectorSections {
  const SectionView* vectors = nullptr;     // int8 x padded_dim
  const SectionView* scales = nullptr;      // f32
  const SectionView* sign_codes = nullptr;  // blocks of 32 slots; null unless asked for
};

// Only on the transaction's own thread.
Result<VectorSections> OpenVectors(const ColumnSegment& segment, const VectorSpace& space,
                                   bool with_sign_codes);

// Sign code bytes of one block of kSignCodeBlock vectors.
uint32_t SignCodeBlockBytes(const VectorSpace& space);

}  // namespace recall
