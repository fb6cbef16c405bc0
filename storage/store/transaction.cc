#include <limits>

#include "storage/base/bytes.h"
#include "storage/base/check.h"
#include "storage/history/commit_log.h"
#include "storage/history/snapshot_token.h"
#include "storage/store/delta_scan.h"
#include "storage/store/store.h"
#include "storage/store/store_impl.h"

namespace recall {
ReadTransaction::ReadTransaction(StoreImpl* store) : store_(store) {}

ReadTransaction::~ReadTransaction() {
  // Readers of segments have open BLOB handles, which must be closed before the transaction ends.
  segments_.clear();
  store_->End(this);
}

Connection& ReadTransaction::connection() const { return store_->connection(); }

const std::string& ReadTransaction::path() const { return store_->connection().path(); }

const StoreSettings& ReadTransaction::settings() const { return store_->identity().settings; }

Result<const SpaceRow*> ReadTransaction::space() const {
  if (space_) return &*space_;
  RECALL_ASSIGN(const bool known, HasSpaces(connection()));
  if (known) {
    RECALL_ASSIGN(space_, FindSpaceAt(connection(), counts_.commit_sequence));
  } else {
    space_ = SpaceRow{
        .embedder = settings().embedder, .version = "1", .dim = settings().dim, .since = 0};
  }
  if (space_) return &*space_;
  return Fail(Status::Corruption(store_->path() +
                                     ": table space has no active vector space for commit " +
                                     std::to_string(counts_.commit_sequence),
                                 "run `recall doctor --fix`"));
}

Result<std::span<const std::unique_ptr<SegmentReader>>> ReadTransaction::Segments() const {
  if (!segments_read_) {
    RECALL_ASSIGN(const SpaceRow* const space, this->space());
    RECALL_ASSIGN(segments_, store_->catalog().OpenSegments(connection(), space->id));
    segments_read_ = true;
  }
  return std::span<const std::unique_ptr<SegmentReader>>(segments_);
}

Result<std::vector<ReadTransaction::DeltaRecord>> ReadTransaction::Delta() const {
  std::vector<DeltaRecord> tail;
  RECALL_TRY(ScanDelta(*this, [&](uint32_t chunk, ByteSpan record) -> Status {
    tail.push_back({chunk, std::string(AsText(record))});
    return Status::Ok();
  }));
  return tail;
}

Result<std::string> ReadTransaction::TombstoneBytes() const {
  RECALL_ASSIGN(Statement * cached,
                connection().Cached("SELECT bitmap FROM tombstone WHERE id = 1"));
  const StatementScope select(cached);
  RECALL_ASSIGN(const bool row, select->Step());
  return row ? std::string(AsText(select->ColumnBlob(0))) : std::string();
}

WriteTransaction::~WriteTransaction() = default;

Result<uint32_t> WriteTransaction::AllocateChunkRows(uint32_t count) {
  if (next_chunk_ + count - 1 > kMaxChunkRow) {
    return Fail(Status::LimitExceeded(store_->path() + ": all 4294967296 chunk rowids are in use",
                                      "export the store and import it into a new one"));
  }
  const auto first = static_cast<uint32_t>(next_chunk_);
  next_chunk_ += count;
  return first;
}

Result<int64_t> WriteTransaction::AllocateTextBlocks(uint32_t count) {
  const int64_t first = next_block_;
  next_block_ += count;
  return first;
}

void WriteTransaction::UseSpace(const SpaceRow& space) {
  segments_read_ = false;
  space_ = space;
}

Result<int64_t> WriteTransaction::InsertSegment(const SegmentContent& content) {
  segments_read_ = false;
  RECALL_ASSIGN(const SpaceRow* const space, this->space());
  return store_->catalog().Insert(connection(), content, space->id);
}

Status WriteTransaction::DeleteSegment(int64_t id) {
  segments_read_ = false;
  return store_->catalog().Delete(connection(), id);
}

Status WriteTransaction::InsertDelta(uint32_t chunk, ByteSpan record) {
  RECALL_ASSIGN(const SpaceRow* const space, this->space());
  RECALL_ASSIGN(Statement * insert,
                connection().Cached("INSERT INTO vec_tail(space, chunk, data) VALUES(?1, ?2, ?3)"));
  insert->BindInt(1, space->id);
  insert->BindInt(2, chunk);
  insert->BindBlob(3, record);
  return insert->Run();
}

Status WriteTransaction::DeleteDelta(uint32_t first_chunk, uint32_t last_chunk) {
  RECALL_ASSIGN(const SpaceRow* const space, this->space());
  RECALL_ASSIGN(
      Statement * remove,
      connection().Cached("DELETE FROM vec_tail WHERE space = ?1 AND chunk BETWEEN ?2 AND ?3"));
  remove->BindInt(1, space->id);
  remove->BindInt(2, first_chunk);
  remove->BindInt(3, last_chunk);
  return remove->Run();
}

Result<int64_t> WriteTransaction::DeltaSize() const {
  RECALL_ASSIGN(const SpaceRow* const space, this->space());
  RECALL_ASSIGN(Statement * cached,
                connection().Cached("SELECT count(*) FROM vec_tail WHERE space = ?1"));
  const StatementScope count(cached);
  count->BindInt(1, space->id);
  RECALL_ASSIGN(const bool row, count->Step());
  return row ? count->ColumnInt(0) : 0;
}

uint32_t WriteTransaction::flush_vectors() const { return store_->flush_vectors(); }

Status WriteTransaction::SetTombstoneBytes(ByteSpan roaring) {
  RECALL_ASSIGN(Statement * put,
                connection().Cached("INSERT OR REPLACE INTO tombstone(id, bitmap) VALUES(1, ?1)"));
  put->BindBlob(1, roaring);
  return put->Run();
}

Result<int64_t> WriteTransaction::ExpireCommitsBefore(int64_t sequence) {
  RECALL_CHECK(sequence <= counts_.commit_sequence);
  return RaiseHorizon(connection(), sequence);
}

Status WriteTransaction::Commit() {
  segments_.clear();
  segments_read_ = false;
  StoreCounters counters{counts_, next_chunk_, next_block_};
  ++counters.counts.commit_sequence;
  const StoreCounts& counts = counters.counts;
  for (const int64_t count :
       {counts.docs, counts.chunks, counts.tokens, counts.lexical_tokens, counts.text_bytes}) {
    if (count >= 0) continue;
    // Once written, they would prevent the store from being opened.
    return Status::Corruption(
        connection().path() + ": a counter of table meta would become negative",
        "restore the store from a backup, or create a new one");
  }
  RECALL_TRY(WriteCounters(connection(), counters));
  const UnixNanos now = WallClockNanos();
  RECALL_TRY(AppendCommit(connection(), {counters.counts, now, counters.next_chunk, 0}));
  RECALL_TRY(store_->Commit(counters.counts.commit_sequence));
  counts_.commit_sequence = counters.counts.commit_sequence;
  if (store_->is_on_server()) counts_.commit_mark = CommitMark(now);
  return Status::Ok();
}

}  // namespace recall
