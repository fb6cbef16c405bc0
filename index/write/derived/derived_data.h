#pragma once

#include <atomic>

#include "index/write/training/training.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

// Updates the data derived from all texts of a store, each part if it is due: trains a model
// (index/write/training/training.h), precomputes the posting lists of common terms
// (posting_list_builder.h), and makes records of the words of chunks (forward_index_builder.h).
// Call it after documents have been added. Without it, answers are correct, but they are ranked
// with older statistics and take longer.
//
// Errors: Cancelled; those of reading texts.
Status UpdateDerivedData(Store& store, const std::atomic<bool>& cancelled,
                         const TrainingOptions& options);

}  // namespace recall
