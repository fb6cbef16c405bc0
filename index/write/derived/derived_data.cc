#include "index/write/derived/derived_data.h"

#include "index/write/derived/forward_index_builder.h"
#include "index/write/derived/forward_index_task.h"
#include "index/write/derived/posting_list_builder.h"

namespace recall {
namespace {

// Trains a model while another thread builds the forward index.
//
// Problem: a quarter of a training is work of one thread, and the building of the forward index
// waits for its writer. One after the other, they leave a core without work.
//
// Idea: a training only reads until its model is made. So the forward index is built meanwhile,
// through another connection, and the training waits for it before it writes. Without a write-ahead
// log nobody can commit while the training reads, so the forward index is built first.
//
// Invariants: the commits of the forward index come before those of the training, with one thread,
// too: the store does not depend on the number of threads.
Status TrainBesideForwardIndex(Store& store, const std::atomic<bool>& cancelled,
                               TrainingOptions options) {
  const ForwardIndexOptions forward{.threads = options.threads, .progress = options.progress};
  ForwardIndexTask task(cancelled, forward);
  if (!task.Begin(store)) {
    RECALL_TRY(BuildForwardIndexIfDue(store, cancelled, forward));
  }
  options.before_writing = [&task] { return task.Finish(); };
  const auto trained = TrainIfDue(store, cancelled, options);
  const Status built = task.Finish();
  if (!trained) return trained.error();
  return built;
}

}  // namespace

Status UpdateDerivedData(Store& store, const std::atomic<bool>& cancelled,
                         const TrainingOptions& options) {
  bool model_is_due = false;
  {
    RECALL_ASSIGN(const auto transaction, store.BeginRead());
    RECALL_ASSIGN(model_is_due, IsModelDue(*transaction));
  }
  if (model_is_due) {
    RECALL_TRY(TrainBesideForwardIndex(store, cancelled, options));
  } else {
    RECALL_TRY(internal::ToStatus(TrainIfDue(store, cancelled, options)));
  }
  RECALL_TRY(BuildPostingListsIfDue(store, cancelled, {.progress = options.progress}));
  return BuildForwardIndexIfDue(store, cancelled,
                                {.threads = options.threads, .progress = options.progress});
}

}  // namespace recall
