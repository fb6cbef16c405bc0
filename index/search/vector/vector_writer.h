#pragma once

#include <span>

#include "index/embed/vector_space/vector_space.h"
#include "index/search/bitmap/bitmap.h"
#include "storage/store/store.h"

namespace recall {

// Adds the vectors of newly allocated chunk rowids (ascending, above all others). If the delta then
// contains fewer than transaction.flush_vectors() vectors, they stay there; otherwise delta and new
// vectors become segments.
Status AppendVectors(WriteTransaction& transaction, const VectorGeometry& space,
                     std::span<const ChunkVector> vectors);

// One step of the merge policy: merges eight neighbouring segments of the same level (4,096 ->
// 32,768 -> 65,536 vectors by default). Vectors of removed chunks are kept, because a snapshot may
// need them. Call it in a new write transaction. Returns: true if it changed something; then call
// it again.
Result<bool> MergeSegmentsOnce(WriteTransaction& transaction, const VectorGeometry& space);

// The level of a segment with this many vectors: 0, 1, or 2 if it is full.
int SegmentLevel(uint32_t vectors);

// Like MergeSegmentsOnce, for a store that should be as small as possible: merges any neighbouring
// segments that are not full, and rewrites those that cannot be read in place.
Result<bool> FillSegmentsOnce(WriteTransaction& transaction, const VectorGeometry& space);

// Deletes the vectors of these chunks from one segment that contains any; if no segment does, from
// the delta. Call it in a new write transaction. Returns: true if there may be more; then call it
// again.
Result<bool> PurgeVectorsOnce(WriteTransaction& transaction, const VectorGeometry& space,
                              const Bitmap& removed);

}  // namespace recall
