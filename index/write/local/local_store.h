#pragma once

#include <memory>
#include <string>
#include <utility>

#include "index/embed/factory/embedding_space.h"
#include "index/search/snapshot/writable_store.h"
#include "index/write/ingest/document_builder.h"
#include "storage/store/store.h"

namespace recall {

// Writes documents to a store in one file. A batch is one transaction: rows, text, full-text index,
// vectors, tombstones of the replaced versions, and the store's counts.
class LocalStore final : public WritableStore {
 public:
  // The store must outlive it. `space` is the space of the current commit, with its coarse
  // quantizer loaded; its model is loaded when a text must be embedded within a batch. If another
  // process activates another space, batches detect that and use the new one. Without a space
  // documents can be removed, but not put.
  explicit LocalStore(Store* store, std::shared_ptr<const EmbeddingSpace> space = nullptr);
  ~LocalStore() override;

  // Makes the next write transaction also record the identity of the store's directory
  // (IdentityOfDirectory) as its StoreHome.
  void RecordHome(std::string identity) { home_ = std::move(identity); }

  // The space of the batch that was begun last.
  const std::shared_ptr<const EmbeddingSpace>& space() const { return space_; }
  const StoreSettings& settings() const override { return store_->settings(); }
  Result<std::unique_ptr<const Snapshot>> BeginRead() override;
  Result<std::unique_ptr<WriteBatch>> BeginBatch() override;

 private:
  class Batch;
  Status FollowSpace(const ReadTransaction& transaction);
  Status MergeSegments();

  // The terms of the space, which is loaded from the transaction if need be.
  Result<TermBuilder*> Terms(const ReadTransaction& transaction);

  Store* store_;
  std::string home_;                             // "": nothing is recorded
  std::shared_ptr<const EmbeddingSpace> space_;  // that the pending transaction writes
  std::unique_ptr<TermBuilder> terms_;           // of it; null until they are needed
};

}  // namespace recall
