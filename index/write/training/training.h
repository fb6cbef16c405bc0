#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "index/write/training/term_lists.h"
#include "index/write/training/training_progress.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

class Connection;
struct SharedModel;

enum class TrainingOutcome : uint8_t {
  kTrained,
  kNotDue,
  kOvertaken,  // another process has trained or changed the embedder meanwhile
  kStoreBusy,  // another process holds the write lock; a later call trains
};

struct TrainingOptions {
  uint32_t threads = 1;  // the result is the same for every number of threads
  bool always = false;   // train even if it is not due or there are no texts
  bool adopt = false;    // train in a store with another embedder, too; LSA then replaces it
  // The number of vectors written by a transaction; it does not affect answers.
  size_t fill_vectors = kMaxSegmentVectors;
  size_t term_list_entries = kMostTermListEntries;
  // From this number of chunks on, the vector space gets IVF lists. Smaller stores do not need
  // them.
  int64_t lists_from = 500'000;
  // From this number of chunks on, the model gets an index of the vocabulary. Smaller stores are
  // scanned as fast, and without an index no new term is missing from it.
  int64_t term_index_from = 4000;
  bool divide = false;  // missing IVF lists make training due
  // Adopt this model instead of training one, whatever the texts and the embedder of the store.
  const SharedModel* given = nullptr;
  DerivedDataProgressFn progress = {};
  // Called before each write transaction, in none. After an error nothing is written.
  std::function<Status()> before_writing = {};
};

// Trains a model on the store's texts (index/write/training/model_training.h). A store with the LSA
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
// A store that has adopted a model keeps its parts. Only the index of its vocabulary is made again,
// in a large store, and the vectors are copied.
//
// Errors: Cancelled; those of reading texts.
Result<TrainingOutcome> TrainIfDue(Store& store, const std::atomic<bool>& cancelled,
                                   const TrainingOptions& options = {});

// Whether a store with the LSA embedder has too old a model, or none, for its number of chunks: the
// training that TrainIfDue finds due. It is after an ingest that was interrupted before its end.
Result<bool> IsModelDue(const ReadTransaction& transaction);
// The same of the newest commit, read from a store of which only the connection is open.
Result<bool> IsModelDue(Connection& connection);

}  // namespace recall
