#pragma once

#include <atomic>
#include <cstdint>

#include "index/training/term_lists.h"
#include "index/training/training_progress.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

enum class TrainingOutcome : uint8_t {
  kTrained,
  kNotDue,
  kOvertaken,  // another process has trained or changed the embedder
  kStoreBusy,  // another process holds the write lock; a later call trains
};

struct TrainingOptions {
  uint32_t threads = 1;  // the result is the same for every number
  bool always = false;   // also if training is not due, and without any texts
  bool adopt = false;    // also in a store with another embedder, which then gets the LSA model
  // The number of vectors written by a transaction; it does not affect answers.
  size_t fill_vectors = kMaxSegmentVectors;
  size_t term_list_entries = kMostTermListEntries;
  // The number of chunks from which on the space of the vectors gets IVF lists, which a smaller
  // store does not need; and whether missing lists make training due.
  int64_t lists_from = 500'000;
  bool divide = false;
  DerivedDataProgressFn progress = {};
};

// Trains a model on the store's texts (index/training/model_training.h). A store with the LSA
// embedder gets vectors of all its chunks. A large store with another embedder keeps its vectors,
// but gets a space in which they have IVF lists.
//
// Fewer than 16 chunks are too few for LSA; their vectors are those of the hash embedder.
//
// Training is due if there are chunks and no model, or at least twice as many chunks as the model
// was trained on. Model and vectors become active with one commit; older snapshots keep theirs. The
// vectors of a large store are written before, in transactions of their own and invisible to
// searches, so that memory is bounded by the vectors of one segment. If a process is interrupted
// there, the next training deletes its rows.
//
// Errors: Cancelled; those of reading texts.
Result<TrainingOutcome> TrainIfDue(Store& store, const std::atomic<bool>& cancelled,
                                   const TrainingOptions& options = {});

}  // namespace recall
