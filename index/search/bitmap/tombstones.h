#pragma once

#include "index/search/bitmap/bitmap.h"
#include "storage/store/store.h"

namespace recall {

// Returns: the chunk rowids that the store contains but the transaction does not see: those of
// removed versions and, in a snapshot of an older commit, those added later. Errors: Corruption if
// the stored bitmap is damaged.
Result<Bitmap> ReadTombstones(const ReadTransaction& transaction);

Status WriteTombstones(WriteTransaction& transaction, const Bitmap& tombstones);

}  // namespace recall
