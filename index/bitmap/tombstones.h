#pragma once

#include "index/bitmap/bitmap.h"
#include "storage/store/store.h"

namespace recall {

// The chunk rowids that a transaction does not see although the store contains them: those of
// removed versions, and in a snapshot also those added later. Corruption if the stored bitmap is
// damaged.
Result<Bitmap> ReadTombstones(const ReadTransaction& transaction);

Status WriteTombstones(WriteTransaction& transaction, const Bitmap& tombstones);

}  // namespace recall
