#include "index/derived/derived_data.h"

#include "index/derived/posting_list_builder.h"

namespace recall {

Status CatchUp(Store& store, const std::atomic<bool>& cancelled, const LearningOptions& options) {
  RECALL_TRY(internal::ToStatus(LearnIfDue(store, cancelled, options)));
  return MakePostingSetIfDue(store, cancelled, {.progress = options.progress});
}

}  // namespace recall
