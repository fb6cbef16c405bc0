#pragma once

#include <memory>

#include "index/interface/prepared_document.h"
#include "index/interface/snapshot.h"
#include "storage/tables/store_facts.h"

namespace recall {

// Changes to documents that become visible together, by Commit, or not at all. Destroying a batch
// that is not committed drops its changes. After an error of Put or Remove the batch must be
// dropped. Belongs to one thread. Errors of all calls: Corruption, and those of the connection to
// the store.
class WriteBatch {
 public:
  virtual ~WriteBatch() = default;
  // The newest commit, with the changes of this batch. It exists as long as the batch.
  virtual const Snapshot& view() const = 0;
  // Writes a document in place of the live version at its path, or, if the outcome is kRefreshed,
  // the labels of that version. Requires: outcome kAdded, kUpdated or kRefreshed.
  virtual Status Put(const PreparedDocument& document) = 0;
  // Removes a live version. Requires: a row of view().
  virtual Status Remove(const DocRow& doc) = 0;
  // Called once, last. Errors: also Busy when the store cannot be locked; nothing is changed then.
  virtual Status Commit() = 0;
};

// A store to which documents are written. Belongs to one thread.
class WritableStore {
 public:
  virtual ~WritableStore() = default;
  virtual const StoreSettings& settings() const = 0;
  // The newest commit. Not while a batch exists. The store must outlive the result.
  virtual Result<std::unique_ptr<const Snapshot>> BeginRead() = 0;
  // Waits for other writers. Errors: Busy when that takes too long. The store must outlive the
  // batch; there is at most one at a time.
  virtual Result<std::unique_ptr<WriteBatch>> BeginBatch() = 0;
};

}  // namespace recall
