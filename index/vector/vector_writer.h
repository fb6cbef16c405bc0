#pragma once

#include <span>

#include "index/bitmap/bitmap.h"
#include "index/vector_space/vector_space.h"
#include "storage/store/store.h"

namespace recall {

// Adds the vectors of freshly allocated chunk rowids (ascending, above all others). Fewer than
// transaction.flush_vectors() in all stay in the delta; more become segments, together with it.
Status AppendVectors(WriteTransaction& transaction, const VectorSpace& space,
                     std::span<const ChunkVector> vectors);

// One step of the merge policy: joins neighbouring segments when eight of a size have gathered
// (4,096 -> 32,768 -> 65,536 by default). Removed chunks go along: a snapshot may need them. Call
// in a fresh write transaction. Returns: true when it changed something, so call again.
Result<bool> MergeSegmentsOnce(WriteTransaction& transaction, const VectorSpace& space);

// Where a segment of so many vectors stands in this policy: 0, 1, or 2 when it is full.
int SegmentLevel(uint32_t vectors);

// The same for a store that shall be as small as it can: joins any neighbours that are not full.
Result<bool> FillSegmentsOnce(WriteTransaction& transaction, const VectorSpace& space);

// Drops the vectors of these chunks from one segment that holds any, or when none does from the
// tail. Call in a fresh write transaction. Returns: true when there may be more, so call again.
Result<bool> PurgeVectorsOnce(WriteTransaction& transaction, const VectorSpace& space,
                              const Bitmap& removed);

}  // namespace recall
