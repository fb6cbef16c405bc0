#include "storage/history/commit_log.h"

#include <limits>

#include "storage/notes/link_table.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/user_version.h"
#include "storage/tables/meta_table.h"
#include "storage/tables/model_table.h"

namespace recall {
namespace {

constexpr std::string_view kHorizonKey = "snapshot_horizon";

Status DamagedLog(const Connection& connection, int64_t sequence) {
  return Status::Corruption(
      connection.path() + ": row " + std::to_string(sequence) + " of table commit_log is damaged",
      "run `recall doctor --fix`, or omit --snapshot");
}

bool IsPlausible(const CommitRecord& record) {
  const StoreCounts& counts = record.counts;
  constexpr int64_t kChunkRows = int64_t{1} << 32;
  return counts.docs >= 0 && counts.chunks >= 0 && counts.chunks <= kChunkRows &&
         counts.tokens >= 0 && counts.lexical_tokens >= 0 && counts.text_bytes >= 0 &&
         record.next_chunk >= 0 && record.next_chunk <= kChunkRows && record.last_doc >= 0;
}

// The integer that a query returns, or `otherwise` if it returns NULL.
Result<int64_t> IntOr(Connection& connection, const char* sql, int64_t parameter,
                      int64_t otherwise) {
  RECALL_ASSIGN(Statement * cached, connection.Cached(sql));
  const StatementScope select(cached);
  select->BindInt(1, parameter);
  RECALL_ASSIGN(const bool row, select->Step());
  return row && !select->ColumnIsNull(0) ? select->ColumnInt(0) : otherwise;
}

Status DeleteBelow(Connection& connection, const char* sql, int64_t sequence) {
  RECALL_ASSIGN(Statement * remove, connection.Cached(sql));
  remove->BindInt(1, sequence);
  return remove->Run();
}

}  // namespace

Status AppendCommit(Connection& connection, CommitRecord record) {
  RECALL_ASSIGN(record.last_doc, connection.QueryInt("SELECT coalesce(max(id), 0) FROM doc"));
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT OR REPLACE INTO commit_log(seq, committed_at, docs, "
                                  "chunks, tokens, lexical_tokens, text_bytes, next_chunk, "
                                  "last_doc) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"));
  insert->BindInt(1, record.counts.commit_sequence);
  insert->BindInt(2, record.committed_at);
  insert->BindInt(3, record.counts.docs);
  insert->BindInt(4, record.counts.chunks);
  insert->BindInt(5, record.counts.tokens);
  insert->BindInt(6, record.counts.lexical_tokens);
  insert->BindInt(7, record.counts.text_bytes);
  insert->BindInt(8, record.next_chunk);
  insert->BindInt(9, record.last_doc);
  return insert->Run();
}

Result<std::optional<CommitRecord>> FindCommit(Connection& connection, int64_t sequence) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT committed_at, docs, chunks, tokens, lexical_tokens, "
                                  "text_bytes, next_chunk, last_doc FROM commit_log "
                                  "WHERE seq = ?1"));
  const StatementScope select(cached);
  select->BindInt(1, sequence);
  RECALL_ASSIGN(const bool row, select->Step());
  if (!row) return std::nullopt;
  CommitRecord record;
  record.counts.commit_sequence = sequence;
  record.committed_at = select->ColumnInt(0);
  record.counts.docs = select->ColumnInt(1);
  record.counts.chunks = select->ColumnInt(2);
  record.counts.tokens = select->ColumnInt(3);
  record.counts.lexical_tokens = select->ColumnInt(4);
  record.counts.text_bytes = select->ColumnInt(5);
  record.next_chunk = select->ColumnInt(6);
  record.last_doc = select->ColumnInt(7);
  if (!IsPlausible(record)) return Fail(DamagedLog(connection, sequence));
  return std::optional(record);
}

Result<std::optional<UnixNanos>> CommittedAt(Connection& connection, int64_t sequence) {
  RECALL_ASSIGN(const bool kept, FormatIsAtLeast(connection, 3));
  if (!kept) return std::nullopt;
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT committed_at FROM commit_log WHERE seq >= ?1 "
                                  "ORDER BY seq LIMIT 1"));
  const StatementScope get(cached);
  get->BindInt(1, sequence);
  RECALL_ASSIGN(const bool row, get->Step());
  return row ? std::optional(get->ColumnInt(0)) : std::nullopt;
}

Result<std::optional<int64_t>> ReadHorizon(Connection& connection) {
  RECALL_ASSIGN(const bool kept, FormatIsAtLeast(connection, 3));
  if (!kept) return std::nullopt;
  RECALL_ASSIGN(const int64_t horizon, ReadMetaCounter(connection, kHorizonKey));
  return std::optional(horizon);
}

Result<int64_t> OldestCommitSince(Connection& connection, UnixNanos time) {
  RECALL_ASSIGN(const StoreCounters present, ReadCounters(connection));
  RECALL_ASSIGN(const int64_t horizon, ReadMetaCounter(connection, kHorizonKey));
  if (horizon > present.counts.commit_sequence) {
    return Fail(Status::Corruption(
        connection.path() + ": meta.snapshot_horizon is " + std::to_string(horizon) +
            ", but the last commit is " + std::to_string(present.counts.commit_sequence),
        "run `recall doctor --fix`, or restore the store from a backup"));
  }
  // The state before the first later commit was still the newest one at `time`. Searching for the
  // first later commit, not for the last earlier one, keeps too much rather than too little if a
  // clock was set back.
  RECALL_ASSIGN(const int64_t younger,
                IntOr(connection, "SELECT min(seq) FROM commit_log WHERE committed_at > ?1", time,
                      present.counts.commit_sequence + 1));
  return std::max(horizon, std::min(younger - 1, present.counts.commit_sequence));
}

Result<int64_t> RaiseHorizon(Connection& connection, int64_t sequence) {
  RECALL_ASSIGN(const int64_t horizon, ReadMetaCounter(connection, kHorizonKey));
  if (sequence <= horizon) return 0;
  RECALL_TRY(DeleteBelow(connection, "DELETE FROM commit_log WHERE seq < ?1", sequence));
  RECALL_TRY(DeleteBelow(connection, "DELETE FROM doc_past WHERE until_seq <= ?1", sequence));
  RECALL_TRY(DeleteEndedLinks(connection, sequence));
  RECALL_TRY(DropModelsBefore(connection, sequence));
  RECALL_TRY(WriteMetaCounter(connection, kHorizonKey, sequence));
  return sequence - horizon;
}

Status BeginHistory(Connection& connection) {
  // The first migration runs before the counters exist: a new store is at commit 0.
  RECALL_ASSIGN(const int64_t rows, connection.QueryInt("SELECT count(*) FROM meta"));
  StoreCounters present;
  if (rows > 0) {
    RECALL_ASSIGN(present, ReadCounters(connection));
  }
  RECALL_TRY(AppendCommit(connection, {present.counts, WallClockNanos(), present.next_chunk, 0}));
  return WriteMetaCounter(connection, kHorizonKey, present.counts.commit_sequence);
}

}  // namespace recall
