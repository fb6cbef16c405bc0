#pragma once

#include "index/bitmap/bitmap.h"
#include "storage/store/store.h"

namespace recall {

// The chunk rowids that a transaction does not see though the store holds them: those of removed
// versions, and in a snapshot those that came later as well. Corruption when the bitmap is none.
Result<Bitmap> ReadTombstones(const ReadTransaction& transaction);

Status WriteTombstones(WriteTransaction& transaction, const Bitmap& tombstones);

}  // namespace recall
