#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "storage/base/result.h"
#include "storage/history/snapshot_rows.h"
#include "storage/history/snapshot_token.h"
#include "storage/segment/access_counters.h"
#include "storage/segment/segment_content.h"
#include "storage/segment/segment_reader.h"
#include "storage/store/store_options.h"
#include "storage/tables/space_table.h"
#include "storage/tables/store_facts.h"

namespace recall {

class Connection;
class StoreImpl;
class UnfinishedFile;

// A consistent view of the store: everything read through it belongs to one commit. Must be used
// and destroyed by the thread that began it, before its Store. Only one may be open per Store.
class ReadTransaction {
 public:
  virtual ~ReadTransaction();
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;

  Connection& connection() const;
  const std::string& path() const;  // of the file
  const StoreCounts& counts() const { return counts_; }
  // The settings of the store.
  const StoreSettings& settings() const;
  // The active embedding space of the transaction's commit, to which segments and delta belong. In
  // a store of a format without spaces, its only one. Valid until UseSpace or the transaction's
  // end. Errors: Corruption if the store does not record it.
  Result<const SpaceRow*> space() const;
  // The first chunk rowid that has never been used, up to 2^32.
  int64_t next_chunk() const { return next_chunk_; }
  // Live segments by ascending smallest chunk rowid. The chunk rowids of two segments never
  // interleave. The list stays valid until the transaction ends or, after the transaction itself
  // has inserted or deleted a segment, until the next call.
  Result<std::span<const std::unique_ptr<SegmentReader>>> Segments() const;

  // Vectors added since the last flush: opaque records by ascending chunk rowid, all greater than
  // those of the segments.
  struct DeltaRecord {
    uint32_t chunk;
    std::string data;
  };
  Result<std::vector<DeltaRecord>> Delta() const;

  // The serialised roaring bitmap of removed chunk rowids; empty if none is removed. Always that of
  // the present commit: in a snapshot, snapshot_rows() has the differences.
  Result<std::string> TombstoneBytes() const;

  // Null unless the transaction reads an older commit than the present one.
  const SnapshotRows* snapshot_rows() const { return snapshot_ ? &*snapshot_ : nullptr; }

 protected:
  friend class StoreImpl;
  explicit ReadTransaction(StoreImpl* store);

  StoreImpl* store_;
  StoreCounts counts_;
  int64_t next_chunk_ = 0;
  mutable std::vector<std::unique_ptr<SegmentReader>> segments_;
  mutable bool segments_read_ = false;
  mutable std::optional<SpaceRow> space_;
  std::optional<SnapshotRows> snapshot_;
};

// The transaction of the writer. Rolled back on destruction unless Commit succeeded. Segments() are
// read by copy, never through a mapping.
class WriteTransaction final : public ReadTransaction {
 public:
  ~WriteTransaction() override;

  // Written to the store by Commit.
  StoreCounts& mutable_counts() { return counts_; }

  // Assigns `count` consecutive chunk rowids (text blocks) that have never been used and returns
  // the first. LimitExceeded when all 2^32 chunk rowids are used.
  Result<uint32_t> AllocateChunkRows(uint32_t count);
  Result<int64_t> AllocateTextBlocks(uint32_t count);

  // From now on segments and delta are those of this space.
  void UseSpace(const SpaceRow& space);
  Result<int64_t> InsertSegment(const SegmentContent& content);
  Status DeleteSegment(int64_t id);
  Status InsertDelta(uint32_t chunk, ByteSpan record);
  // Deletes the delta records of chunk rowids first..last.
  Status DeleteDelta(uint32_t first_chunk, uint32_t last_chunk);
  Result<int64_t> DeltaSize() const;
  // The number of vectors that make a segment (StoreOptions).
  uint32_t flush_vectors() const;
  Status SetTombstoneBytes(ByteSpan roaring);

  // Gives up every state before commit `sequence`: from this commit on they are Expired, and data
  // that only they need may be purged. Cannot be undone. Requires: not beyond the present commit.
  // Returns: the number of commits that could be read and no longer can.
  Result<int64_t> ExpireCommitsBefore(int64_t sequence);

  // Makes all changes durable as commit `counts().commit_sequence + 1`, then runs a checkpoint,
  // unless a reader prevents it.
  Status Commit();

 private:
  friend class StoreImpl;
  using ReadTransaction::ReadTransaction;

  int64_t next_block_ = 0;
};

// A recall.db. Owned by one thread at a time. Any number of Stores, in any number of processes, may
// have the same file open: readers never wait; writers wait in order of arrival, up to
// busy_timeout_ms.
class Store final {
 public:
  // `vector_dim`: dimensions of the vectors that writers add before a model is trained; by default
  // settings.dim. Fails with AlreadyExists if there is a file at `path`.
  static Result<std::unique_ptr<Store>> Create(const std::string& path,
                                               const StoreSettings& settings,
                                               const StoreOptions& options = {},
                                               std::optional<uint32_t> vector_dim = {});
  // As Create, in an empty file that the caller makes and renames when it is complete. `file` must
  // outlive the store.
  static Result<std::unique_ptr<Store>> CreateIn(const UnfinishedFile& file,
                                                 const StoreSettings& settings,
                                                 const StoreOptions& options = {},
                                                 std::optional<uint32_t> vector_dim = {});
  // Fails with StoreNotFound, Corruption (not a recall.db), Unsupported (newer format), Busy,
  // IoError.
  static Result<std::unique_ptr<Store>> Open(const std::string& path,
                                             const StoreOptions& options = {});
  ~Store();

  const StoreSettings& settings() const;
  const std::string& path() const;
  // 32 random hexadecimal digits, assigned when the store was made.
  const std::string& uuid() const;
  bool read_only() const;
  const StoreOptions& options() const;

  Result<std::unique_ptr<ReadTransaction>> BeginRead();
  // The store as a commit left it. Expired if that commit can no longer be read, or if the commit
  // of its number has another mark; NotFound if it does not exist yet. Takes time in proportion to
  // the changes since then.
  Result<std::unique_ptr<ReadTransaction>> BeginReadAt(const CommitName& name);
  Result<std::unique_ptr<WriteTransaction>> BeginWrite();

  // Rewrites the file without its free pages, so that it shrinks and contains no deleted text.
  // Takes time and temporary space in proportion to the store. Requires: no open transaction. Busy
  // if another process keeps writing; the store stays intact in any case.
  Status Vacuum();
  // Rebuilds the file so that its pages have checksums, unless they do or the journal is not a WAL.
  // Existing segments are then read by copy until they are written again.
  Status AddPageChecksums();
  // Copies the whole WAL into the file and truncates it, so that no data of earlier commits is left
  // in it. Busy if a reader of an older commit or another writer still needs it.
  Status EmptyWal();

  // How segments have been read since Open, for stats and tests.
  using AccessCounters = SegmentAccessCounters;
  const AccessCounters& access_counters() const;

  // How often the server of the store was found to have lost commits that were read before; 0 for a
  // file. A Store that was opened before fails with IoError.
  uint32_t losses() const;
  // Returns what users must know of the server of the store, such as that it lacks commits which
  // this machine has seen, and forgets it; "" if there is nothing.
  std::string TakeWarning();

  // Ends the present operation soon, and all later ones, with Cancelled. Thread-safe.
  void Interrupt();

 private:
  explicit Store(std::unique_ptr<StoreImpl> impl);
  // Opens another replica of the store while begin(*impl_) fails with Busy.
  template <typename Begin>
  auto OnAnyReplica(Begin begin) -> decltype(begin(std::declval<StoreImpl&>()));

  // Reads an older commit of a store whose connection is lent: its views are temporary tables,
  // which are not made in the connection of another program.
  Result<std::unique_ptr<ReadTransaction>> BeginReadBeside(const CommitName& name);

  std::mutex mutex_;  // for Interrupt, while impl_ or beside_ is replaced
  std::unique_ptr<StoreImpl> impl_;
  std::unique_ptr<StoreImpl> beside_;  // null until BeginReadBeside
};

}  // namespace recall
