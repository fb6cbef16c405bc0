#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "index/embed/factory/embedding_space.h"
#include "query/types/store_types.h"
#include "storage/store/store.h"

namespace recall {

// What exporting and importing need of an open database. All outlive the call.
struct TransferTools {
  Store* store;
  // To write: of the newest commit, its model loaded. To read: of the transaction's.
  std::shared_ptr<const EmbeddingSpace> space;
  const std::atomic<bool>* cancel;
};

// Shows progress at most ten times a second.
class TransferProgress final {
 public:
  explicit TransferProgress(const AddProgressFn& show);
  void Update(const AddProgress& progress);

 private:
  const AddProgressFn& show_;
  int64_t last_micros_;
};

// Whether `path` is the store or a file SQLite keeps beside it. Such a file must neither be
// overwritten nor opened: closing it would drop SQLite's locks on the store.
bool IsFileOfStore(const std::string& path, const std::string& store_path);

}  // namespace recall
