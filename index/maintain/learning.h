#pragma once

#include <atomic>

#include "storage/base/result.h"
#include "storage/store.h"

namespace recall {

// Learns of the store's texts what ranking needs to know of all of them: how common each character
// gram is. A sample of the chunks stands for all, drawn by their ids, so equal stores learn the
// same. Chunks whose text is damaged are left out.
//
// Due when there are chunks and no model, or twice as many chunks as the model was learnt from. It
// is written in one transaction and is in force from that commit on; older snapshots keep theirs.
//
// Returns: whether a model was written. Not an error: another process holds the store (it learns
// with a later call), or learnt at the same time.
// Errors: Cancelled; those of reading texts.
Result<bool> LearnIfDue(Store& store, const std::atomic<bool>& cancelled);

}  // namespace recall
