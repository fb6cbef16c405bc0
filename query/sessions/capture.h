#pragma once

#include <atomic>
#include <string>

#include "index/embed/factory/embedding_space.h"
#include "query/types/session_types.h"
#include "storage/store/store.h"

namespace recall {

// The parts of the database that RunCapture uses. All must outlive the call.
struct CaptureTools {
  Store* store;
  const EmbedderProvider* embedders;
  std::string root;  // absolute: the directory of the store
  size_t threads = 1;
  const std::atomic<bool>* cancel = nullptr;
};

// Implements Database::Capture.
Result<CaptureReport> RunCapture(const CaptureTools& tools, const CaptureRequest& request,
                                 const CaptureProgressFn& progress);

}  // namespace recall
