#include "index/write/derived/derived_data.h"

#include "index/write/derived/forward_index_builder.h"
#include "index/write/derived/posting_list_builder.h"

namespace recall {

Status UpdateDerivedData(Store& store, const std::atomic<bool>& cancelled,
                         const TrainingOptions& options) {
  RECALL_TRY(internal::ToStatus(TrainIfDue(store, cancelled, options)));
  RECALL_TRY(BuildPostingListsIfDue(store, cancelled, {.progress = options.progress}));
  return BuildForwardIndexIfDue(store, cancelled,
                                {.threads = options.threads, .progress = options.progress});
}

}  // namespace recall
