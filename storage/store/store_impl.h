#pragma once

#include <memory>
#include <optional>
#include <string>

#include "storage/history/snapshot_token.h"
#include "storage/replica/page_source.h"
#include "storage/segment/segment_catalog.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/writer_queue.h"
#include "storage/store/store_options.h"
#include "storage/tables/content_sizes.h"
#include "storage/tables/meta_table.h"

namespace recall {

class ReadTransaction;
class WriteTransaction;

// The state that a Store and its open transaction share: the connection, the segment catalog, the
// writer queue, and the open transaction.
class StoreImpl final {
 public:
  static Result<std::unique_ptr<StoreImpl>> Open(const std::string& path,
                                                 const StoreOptions& options);

  Result<std::unique_ptr<ReadTransaction>> BeginRead();
  Result<std::unique_ptr<ReadTransaction>> BeginReadAt(const CommitName& name);
  Result<std::unique_ptr<WriteTransaction>> BeginWrite();
  // COMMIT as commit `sequence`, then a checkpoint, whose failure is harmless.
  Status Commit(int64_t sequence);
  Status Vacuum();
  Status StopAcceptingUnsealed();
  Status AddPageChecksums();
  Status EmptyWal();
  // Rolls back `transaction` if it is still the open one; a finished transaction is not.
  void End(const ReadTransaction* transaction);

  Connection& connection() { return *connection_; }
  SegmentCatalog& catalog() { return *catalog_; }
  const StoreIdentity& identity() const { return identity_; }
  const std::string& path() const { return path_; }
  const StoreOptions& options() const { return options_; }
  bool is_on_server() const { return source_ != nullptr; }
  // Whether another replica of the store may be free when this one is Busy.
  bool reads_replica() const { return is_on_server() && options_.read_only; }
  uint32_t losses() const { return is_on_server() ? source_->losses() : 0; }
  std::string TakeWarning() { return is_on_server() ? source_->TakeWarning() : ""; }
  uint32_t flush_vectors() const { return options_.flush_vectors; }

 private:
  StoreImpl(std::string path, const StoreOptions& options)
      : path_(std::move(path)), options_(options) {}

  static Result<std::unique_ptr<StoreImpl>> OpenLent(const std::string& path,
                                                     const StoreOptions& options);
  // Reads what never changes: the identity, and whether pages have checksums.
  Status ReadFacts();
  // An error if the store has gone back to an older commit since it was opened.
  Status CheckNothingLost() const;
  // Migrates the store to the newest format.
  Status Migrate();
  // Waits until all writers that came before have finished. The caller must leave the queue
  // afterwards.
  Status AwaitTurn();
  void Checkpoint();
  Status EndLeftOver();
  // Sets the mark of the commit that is read, if the store is on a server.
  Status ReadMark(StoreCounts* counts);
  Status GoBack(ReadTransaction& transaction, const CommitName& name);

  std::string path_;
  StoreOptions options_;
  // Declared before the connection, so that it is destroyed after it: closing the mapping's
  // descriptor first would drop SQLite's locks (docs/format/store.md, "Locks").
  std::unique_ptr<SegmentCatalog> catalog_;
  std::unique_ptr<Connection> connection_;
  std::optional<ContentLedger> ledger_;  // only in a file opened for writing
  StoreIdentity identity_;
  std::optional<WriterQueue> queue_;  // only in a store opened for writing
  const ReadTransaction* open_ = nullptr;
  PageSource* source_ = nullptr;  // of the replica of a store on a server
  uint32_t losses_ = 0;           // as of Open
};

}  // namespace recall
