#pragma once

// The two ways to score the vectors of a segment: in full, and by sign code. These functions
// compute over opened sections, whose pages are located at the first use; they are thread-safe.
// Errors: Corruption if a page is misplaced, or a vector does not match its checksum.

#include <cstdint>
#include <span>

#include "index/search/columns/column_segment.h"
#include "index/search/vector/segment_ivf_lists.h"
#include "index/search/vector/shortlist.h"
#include "index/search/vector/sign_code_scores.h"
#include "index/search/vector/vector_sections.h"
#include "index/search/vector/vector_selection.h"
#include "simd/top_k.h"

namespace recall {

// An opened segment and the vectors of it that pass a filter.
struct ScanSegment {
  const ColumnSegment* segment;
  VectorSections sections;
  VectorSelection selection;
  SegmentIvfLists lists = {};  // null: sign codes are in the order of the vectors
};

// Vectors first .. last - 1 of a segment; if its sign codes are ordered by IVF list, slots first ..
// last - 1. This is the unit of work of a thread. `first` is a multiple of 32.
struct ScanSlice {
  const ScanSegment* of;
  uint32_t first;
  uint32_t last;
  // The slots to scan, of all slots of the segment: one word for each block. Null: all.
  const uint32_t* slots = nullptr;
};

// A vector of the delta.
struct DeltaVector {
  const ChunkVector* vector;
  uint32_t position;
};

// The cosine of one stored vector with the query.
float ScoreVector(const VectorQuery& query, const QuantizedVector& vector);

// Below every cosine.
inline constexpr float kBelowCosines = -2;

// Writes the cosines of the vectors at `ordinals`, in order, to scores[]. Vectors whose cosine is
// `least` or more are compared with their checksums. Errors: Corruption.
Status ScoreOrdinals(const VectorSections& sections, const VectorQuery& query,
                     std::span<const uint32_t> ordinals, float* scores,
                     float least = kBelowCosines);

// Pushes (cosine, chunk rowid) of every selected vector of the slice.
Status ScanExact(const ScanSlice& slice, const VectorQuery& query, TopK<float>* best);

// An upper bound of all sign-code scores of the query.
uint16_t MaxSignCodeScore(const VectorQuery& query);

// The sign-code score that all but one in 160 of the vectors with this cosine reach: 2.5 standard
// deviations below their mean. The error of sign codes follows from the dimension, as in RaBitQ
// (Gao and Long, 2024, theorem 3.2), here without a factor for each vector.
uint16_t LeastSignCodeScore(const VectorQuery& query, float cosine);

// Starts reading the sign codes of these slots (ScanSlice::slots; empty: all) ahead, all at once,
// if they are ordered by IVF list and not in memory. Otherwise a scan would wait for one contiguous
// range after the other. Sign codes in the order of the vectors were asked for when they were
// opened.
Status AskForSignCodes(const ScanSegment& of, std::span<const uint32_t> slots);

// Pushes (sign-code score, position) of the selected vectors of the slice that can still be among
// the best.
Status ScanSignCodes(const ScanSlice& slice, const VectorQuery& query, Shortlist* best);

// Pushes the vectors of the delta in the same way.
void ScanSignCodes(std::span<const DeltaVector> vectors, const VectorQuery& query, Shortlist* best);

// Appends the sign-code scores of the selected vectors of the slice. Requires: sign codes in the
// order of the vectors.
Status ScoreSignCodes(const ScanSlice& slice, const VectorQuery& query, SignCodeScores* scores);

// Appends those of the vectors of the delta, whose positions are consecutive.
void ScoreSignCodes(std::span<const DeltaVector> vectors, const VectorQuery& query,
                    SignCodeScores* scores);

}  // namespace recall
