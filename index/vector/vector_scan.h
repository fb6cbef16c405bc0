#pragma once

// The two ways to score vectors of a segment: in full, and by sign code. Computation over opened
// sections, whose pages are found as they are needed; thread-safe. Errors: Corruption when one is
// not where it should be.

#include <cstdint>
#include <span>

#include "index/columns/column_segment.h"
#include "index/vector/segment_ivf_lists.h"
#include "index/vector/shortlist.h"
#include "index/vector/vector_sections.h"
#include "index/vector/vector_selection.h"
#include "simd/top_k.h"

namespace recall {

// An opened segment and what a filter leaves of it.
struct ScanSegment {
  const ColumnSegment* segment;
  VectorSections sections;
  VectorSelection selection;
  SegmentIvfLists lists = {};  // null, or where sign codes lie
};

// Vectors first .. last - 1 of a segment, or where its sign codes lie by list those slots: the work
// one thread takes at a time. `first` is a multiple of 32.
struct ScanSlice {
  const ScanSegment* of;
  uint32_t first;
  uint32_t last;
  // Of all slots of the segment, which to look at: a word for each block. Null: all.
  const uint32_t* slots = nullptr;
};

// A vector that no segment holds yet.
struct DeltaVector {
  const ChunkVector* vector;
  uint32_t position;
};

// Cosine of one stored vector with the query.
float ScoreVector(const VectorQuery& query, const QuantizedVector& vector);

// Cosines of the vectors at `ordinals`, in order, to scores[].
Status ScoreOrdinals(const VectorSections& sections, const VectorQuery& query,
                     std::span<const uint32_t> ordinals, float* scores);

// Pushes (cosine, chunk rowid) of every selected vector of the slice.
Status ScanExact(const ScanSlice& slice, const VectorQuery& query, TopK<float>* best);

// No sign code score of the query exceeds it.
uint16_t MaxSignCodeScore(const VectorQuery& query);

// The sign code score that vectors of this cosine with the query reach, all but one in 160: 2.5
// standard deviations below their mean. How far sign codes err follows from the dimension, as in
// RaBitQ (Gao and Long, 2024, theorem 3.2), here without a factor for each vector.
uint16_t LeastSignCodeScore(const VectorQuery& query, float cosine);

// Has the disk fetch the sign codes of these slots (ScanSlice::slots) together, where they lie by
// list and are not in memory: a scan would wait for one stretch after the other.
Status AskForSignCodes(const ScanSegment& of, std::span<const uint32_t> slots);

// Pushes (sign code score, position) of the selected vectors of the slice that can still be among
// the best.
Status ScanSignCodes(const ScanSlice& slice, const VectorQuery& query, Shortlist* best);

// The same for vectors of the delta.
void ScanSignCodes(std::span<const DeltaVector> vectors, const VectorQuery& query, Shortlist* best);

}  // namespace recall
