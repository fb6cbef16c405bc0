#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "index/write/training/training_progress.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

struct ForwardIndexOptions {
  int64_t chunks_from = 1;        // smaller stores have no forward index
  size_t batch_bytes = 64 << 20;  // text of the chunks whose records one commit writes
  uint32_t threads = 1;           // the result is the same for every number of threads
  bool always = false;            // also if few chunks have no record
  DerivedDataProgressFn progress = {};
};

// Makes records of the forward index (index/search/ngram/forward_record.h) for the chunks after the
// last one that has a record, if that is due: if more than one in 32 chunks of the store, and more
// than 16, have none. Makes a new dictionary, and all records again, when a store has four times as
// many chunks as the present dictionary was made from. Chunks whose text is damaged get no record.
//
// Each batch reads the texts and writes the records in one write transaction; an interrupted build
// is continued by the next call. Gives up, and leaves the rest to a later call, if another process
// holds the write lock.
//
// Errors: Cancelled.
Status BuildForwardIndexIfDue(Store& store, const std::atomic<bool>& cancelled,
                              const ForwardIndexOptions& options = {});

}  // namespace recall
