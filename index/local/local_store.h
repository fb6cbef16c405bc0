#pragma once

#include <memory>

#include "index/embed/factory/embedding_space.h"
#include "index/ingest/document_builder.h"
#include "index/interface/writable_store.h"
#include "storage/store/store.h"

namespace recall {

// Writes documents to a store in one file. A batch is one transaction: rows, text, full-text index,
// vectors, tombstones of the replaced versions, and the store's counts.
class LocalStore final : public WritableStore {
 public:
  // The store must outlive it. `space` is the space of the current commit with its model loaded. If
  // another process activates another space, batches detect that and use the new one. Without a
  // space documents can be removed, but not put.
  explicit LocalStore(Store* store, std::shared_ptr<const EmbeddingSpace> space = nullptr);
  ~LocalStore() override;

  const StoreSettings& settings() const override { return store_->settings(); }
  Result<std::unique_ptr<const Snapshot>> BeginRead() override;
  Result<std::unique_ptr<WriteBatch>> BeginBatch() override;

 private:
  class Batch;
  Status FollowSpace(const ReadTransaction& transaction);
  Status MergeSegments();

  Store* store_;
  std::unique_ptr<TermBuilder> terms_;  // of the space that the pending transaction writes
};

}  // namespace recall
