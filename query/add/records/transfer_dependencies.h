#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "index/embed/factory/embedding_space.h"
#include "query/types/add_types.h"
#include "storage/store/store.h"

namespace recall {

// The parts of an open database that export and import use. All must outlive the call.
struct TransferDependencies {
  Store* store;
  // Import: the vector space of the newest commit, with its model loaded. Export: that of the
  // transaction's commit.
  std::shared_ptr<const EmbeddingSpace> space;
  const std::atomic<bool>* cancel;
};

// Reports progress, at most ten times a second. `show` must outlive the object; it may be empty.
class TransferProgress final {
 public:
  explicit TransferProgress(const AddProgressFn& show);
  void Update(const AddProgress& progress);

 private:
  const AddProgressFn& show_;
  int64_t last_micros_;
};

// True if `path` is the store or a file that SQLite keeps beside it. Such a file must be neither
// overwritten nor opened, because closing it would release SQLite's locks on the store.
bool IsFileOfStore(const std::string& path, const std::string& store_path);

}  // namespace recall
