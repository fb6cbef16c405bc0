#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "storage/base/result.h"
#include "storage/history/snapshot_rows.h"
#include "storage/segment/access_counters.h"
#include "storage/segment/segment_content.h"
#include "storage/segment/segment_reader.h"
#include "storage/sqlite/connection.h"
#include "storage/store/store_options.h"
#include "storage/tables/space_table.h"
#include "storage/tables/store_facts.h"

namespace recall {

class StoreImpl;

// A consistent view of the store; everything read through it is of one commit. Must be used and
// destroyed by the thread that began it, before its Store, and only one may be open per Store.
class ReadTransaction {
 public:
  virtual ~ReadTransaction();
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;

  Connection& connection() const;
  const StoreCounts& counts() const { return counts_; }
  // Of the store.
  const StoreSettings& settings() const;
  // The vector space in force at the transaction's commit: what segments and tail are of. In a
  // store from before spaces, the only one. Good until UseSpace or the transaction's end.
  // Errors: Corruption when the store does not say.
  Result<const SpaceRow*> space() const;
  // The first chunk rowid that no document has had, up to 2^32.
  int64_t next_chunk() const { return next_chunk_; }
  // Live segments by ascending smallest chunk rowid. Chunk rowids of two segments never interleave.
  // The list stays valid until the transaction ends or, after the transaction itself has inserted
  // or deleted a segment, until the next call.
  Result<std::span<const std::unique_ptr<SegmentReader>>> Segments() const;

  // Vectors added since the last flush: opaque records by ascending chunk rowid, all above every
  // segment's largest.
  struct DeltaRecord {
    uint32_t chunk;
    std::string data;
  };
  Result<std::vector<DeltaRecord>> Delta() const;

  // The serialised roaring bitmap of removed chunk rowids; empty when none is. Always that of the
  // present commit: in a snapshot, snapshot_rows() says what was different.
  Result<std::string> TombstoneBytes() const;

  // Null unless the transaction sees an older commit than the present one.
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

// The one writer's transaction. Rolled back on destruction unless Commit succeeded. Inside it,
// Segments() are read before the first change or by copy, never through a stale mapping.
class WriteTransaction final : public ReadTransaction {
 public:
  ~WriteTransaction() override;

  // Written to the store by Commit.
  StoreCounts& mutable_counts() { return counts_; }

  // Hands out `count` consecutive chunk rowids (text blocks) that no document has ever had and
  // returns the first. LimitExceeded when 2^32 chunk rowids are used up.
  Result<uint32_t> AllocateChunkRows(uint32_t count);
  Result<int64_t> AllocateTextBlocks(uint32_t count);

  // From now on segments and tail are those of this space.
  void UseSpace(const SpaceRow& space);
  Result<int64_t> InsertSegment(const SegmentContent& content);
  Status DeleteSegment(int64_t id);
  Status InsertDelta(uint32_t chunk, ByteSpan record);
  // Forgets the delta records of chunk rowids first..last.
  Status DeleteDelta(uint32_t first_chunk, uint32_t last_chunk);
  Result<int64_t> DeltaSize() const;
  // How many vectors make a segment (StoreOptions).
  uint32_t flush_vectors() const;
  Status SetTombstoneBytes(ByteSpan roaring);

  // Gives up every state before commit `sequence`: from this commit on they are Expired, and what
  // only they need may be purged. Never takes that back. Requires: not beyond the present commit.
  // Returns: how many commits that were kept are not any more.
  Result<int64_t> ExpireCommitsBefore(int64_t sequence);

  // Makes all changes durable as commit `counts().commit_sequence + 1`, then lets the WAL be
  // copied into the file if no reader prevents it.
  Status Commit();

 private:
  friend class StoreImpl;
  using ReadTransaction::ReadTransaction;

  int64_t next_block_ = 0;
};

// A recall.db. Owned by one thread at a time; any number of Stores, in any number of processes,
// may have the same file open: readers never wait, writers get their turn in the order in which
// they came, within busy_timeout_ms.
class Store final {
 public:
  // `vector_dim`: components of the vectors that writers add before anything is learnt; without
  // it, settings.dim. Fails with AlreadyExists when there is a file at `path`.
  static Result<std::unique_ptr<Store>> Create(const std::string& path,
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
  // 32 hexadecimal digits drawn when the store was made.
  const std::string& uuid() const;
  bool read_only() const;

  Result<std::unique_ptr<ReadTransaction>> BeginRead();
  // The store as commit `sequence` left it. Expired when that is no longer kept, NotFound when
  // there has been no such commit yet. Takes time in proportion to what has changed since.
  Result<std::unique_ptr<ReadTransaction>> BeginReadAt(int64_t sequence);
  Result<std::unique_ptr<WriteTransaction>> BeginWrite();

  // Rewrites the file without its free pages, so that it shrinks and no deleted text is left in
  // it. Takes time and temporary space in proportion to the store. Requires: no open transaction.
  // Busy when another process keeps writing; the store is whole in any case.
  Status Vacuum();
  // Copies the whole WAL into the file and cuts it to nothing, so that nothing of earlier commits
  // is left in it. Busy when a reader of an older commit or another writer still needs it.
  Status EmptyWal();

  // How segments were read since Open, for stats and tests.
  using AccessCounters = SegmentAccessCounters;
  const AccessCounters& access_counters() const;

  // Makes the statement that is running fail with Cancelled. Thread-safe.
  void Interrupt();

 private:
  explicit Store(std::unique_ptr<StoreImpl> impl);
  std::unique_ptr<StoreImpl> impl_;
};

}  // namespace recall
