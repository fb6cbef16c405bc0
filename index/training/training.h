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
  kOvertaken,  // by another process that learns, or that changed the embedder
  kStoreBusy,  // another process keeps it; a later call learns
};

struct TrainingOptions {
  uint32_t threads = 1;  // of the training; they make no difference to what is learnt
  bool always = false;   // also when it is not due, and of no texts at all
  bool adopt = false;    // also in a store with another embedder, which has the learnt one then
  // How many vectors a transaction writes; answers do not depend on it.
  size_t fill_vectors = kMaxSegmentVectors;
  size_t term_list_entries = kMostTermListEntries;
  // Chunks from which on the space of the vectors is divided into lists, which a search of fewer
  // needs not; and whether it is due that they are not yet.
  int64_t lists_from = 500'000;
  bool divide = false;
  DerivedDataProgressFn progress = {};
};

// Learns of the store's texts what ranking needs to know of all of them (index/maintain/
// model_training), and gives a store with the learnt embedder vectors of all its chunks. A large
// store with another embedder keeps its vectors, but gets a space in which they lie in lists.
//
// With fewer than 16 chunks there is too little to learn from; the vectors are those of the hash
// embedder then.
//
// Due when there are chunks and no model, or twice as many chunks as the model was learnt from.
// Model and vectors come into force with one commit; older snapshots keep theirs. The vectors of
// a large store are written before, in transactions of their own and invisible to searches, so that
// memory is bounded by those of one segment; whoever is interrupted there leaves what the next
// one to learn removes.
//
// Errors: Cancelled; those of reading texts.
Result<TrainingOutcome> TrainIfDue(Store& store, const std::atomic<bool>& cancelled,
                                   const TrainingOptions& options = {});

}  // namespace recall
