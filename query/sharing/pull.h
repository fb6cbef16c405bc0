#pragma once

#include <atomic>
#include <string>

#include "index/embed/factory/embedding_space.h"
#include "query/types/sharing_types.h"
#include "storage/store/store.h"

namespace recall {

// The parts of the database that RunPull uses. All must outlive the call.
struct PullTools {
  Store* store;
  const EmbedderProvider* embedders;
  std::string root;  // absolute: the directory of the store
  size_t threads = 1;
  const std::atomic<bool>* cancel = nullptr;
};

// Implements Database::Pull.
Result<PullReport> RunPull(const PullTools& tools, const PullRequest& request);

}  // namespace recall
