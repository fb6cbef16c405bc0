#include "index/maintain/catch_up.h"

#include "index/maintain/posting_sets.h"

namespace recall {

Status CatchUp(Store& store, const std::atomic<bool>& cancelled, const LearningOptions& options) {
  RECALL_TRY(internal::ToStatus(LearnIfDue(store, cancelled, options)));
  return MakePostingSetIfDue(store, cancelled, {.progress = options.progress});
}

}  // namespace recall
