#pragma once

#include <span>

#include "index/filter/bitmap.h"
#include "index/vector/vector_space.h"
#include "storage/store.h"

namespace recall {

// Below this many records new vectors wait in the tail; at it they become a segment.
inline constexpr uint32_t kTailFlushVectors = 4096;

// Adds the vectors of freshly allocated chunk rows (ascending, above all others). Fewer than
// kTailFlushVectors in all stay in the tail; more become segments, together with the tail.
Status AppendVectors(WriteTransaction& transaction, const VectorSpace& space,
                     std::span<const ChunkVector> vectors);

// One step of the merge policy: joins neighbouring segments when eight of a size have gathered
// (4,096 -> 32,768 -> 65,536), and rewrites a segment of which over 30 % is removed. Call in a
// fresh write transaction. Returns: true when it changed something, so call again.
Result<bool> MergeSegmentsOnce(WriteTransaction& transaction, const VectorSpace& space,
                               const Bitmap& removed);

// Drops removed chunks from segments and tail at once, for a purge.
Status PurgeVectors(WriteTransaction& transaction, const VectorSpace& space, const Bitmap& removed);

}  // namespace recall
