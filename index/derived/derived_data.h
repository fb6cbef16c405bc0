#pragma once

#include <atomic>

#include "index/training/training.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

// Makes what is due of that which is made of all of a store's texts: learns (learning.h), then
// makes the postings of common words ready (posting_sets.h). To be called behind whatever added
// documents. Answers without it are right, but rank by what was known before, and take longer.
//
// Errors: Cancelled; those of reading texts.
Status UpdateDerivedData(Store& store, const std::atomic<bool>& cancelled,
                         const TrainingOptions& options);

}  // namespace recall
