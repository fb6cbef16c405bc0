#pragma once

// The two ways to score vectors of a segment: in full, and by signature. Computation over opened
// sections, whose pages are found as they are needed; thread-safe. Errors: Corruption when one is
// not where it should be.

#include <cstdint>
#include <span>

#include "index/vector/chunk_columns_internal.h"
#include "index/vector/shortlist.h"
#include "index/vector/vector_selection.h"
#include "simd/top_k.h"

namespace recall {

// An opened segment and what a filter leaves of it.
struct ScanSegment {
  const ChunkColumns::Segment* segment;
  VectorSections sections;
  VectorSelection selection;
};

// Vectors first .. last - 1 of a segment: the work one thread takes at a time.
// `first` is a multiple of 32.
struct ScanSlice {
  const ScanSegment* of;
  uint32_t first;
  uint32_t last;
};

// Cosine of one stored vector with the query.
float ScoreVector(const VectorQuery& query, const QuantizedVector& vector);

// Cosines of the vectors at `ordinals`, in order, to scores[].
Status ScoreOrdinals(const VectorSections& sections, const VectorQuery& query,
                     std::span<const uint32_t> ordinals, float* scores);

// Pushes (cosine, chunk row) of every selected vector of the slice.
Status ScanExact(const ScanSlice& slice, const VectorQuery& query, TopK<float>* best);

// No signature score of the query exceeds it.
uint16_t MaxSignatureScore(const VectorQuery& query);

// The signature score that vectors of this cosine with the query reach, all but one in 160: 2.5
// standard deviations below their mean. How far signatures err follows from the dimension, as in
// RaBitQ (Gao and Long, 2024, theorem 3.2), here without a factor for each vector.
uint16_t LeastSignatureScore(const VectorQuery& query, float cosine);

// Pushes (signature score, position) of the selected vectors of the slice that can still be among
// the best. Requires: slices come to one `best` by ascending position.
void ScanSignatures(const ScanSlice& slice, const VectorQuery& query, Shortlist* best);

// The same for vectors that no segment holds yet; the first is at `first_position`.
void ScanSignatures(std::span<const ChunkVector* const> vectors, uint32_t first_position,
                    const VectorQuery& query, Shortlist* best);

}  // namespace recall
