#include "storage/overflow/checkpointed_snapshot.h"

#include <sqlite3.h>

#include <string>

#include "storage/sqlite/connection.h"
#include "storage/sqlite/writer_queue.h"

namespace recall {
namespace {

Result<SnapshotHome> TakeSnapshot(Connection& connection) {
  RECALL_TRY(connection.QueryInt("SELECT count(*) FROM sqlite_schema"));
  RECALL_ASSIGN(const std::string mode, connection.QueryText("PRAGMA journal_mode"));
  return mode == "wal" ? SnapshotHome::kPerhapsInWal : SnapshotHome::kMainFile;
}

}  // namespace

std::optional<WalState> CheckpointWal(Connection& connection, int queue) {
  const std::optional<WalState> found = ReadWalState(connection);
  if (!found || found->all_copied()) return found;
  WriterQueue turn(queue);
  if (!turn.TryTurn()) return found;
  // What cannot be copied, for a reader holds it, or one may not write here, is no error.
  sqlite3_wal_checkpoint_v2(connection.handle(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr,
                            nullptr);
  return ReadWalState(connection);
}

Result<SnapshotHome> BeginSnapshot(Connection& connection) {
  RECALL_TRY(connection.Execute("BEGIN"));
  Result<SnapshotHome> home = TakeSnapshot(connection);
  if (!home && connection.InTransaction()) connection.Execute("ROLLBACK").IgnoreError();
  return home;
}

Result<SnapshotHome> BeginCheckpointedSnapshot(Connection& connection, int queue) {
  RECALL_ASSIGN(const int64_t before, connection.QueryInt("PRAGMA data_version"));
  const std::optional<WalState> wal = CheckpointWal(connection, queue);
  RECALL_ASSIGN(const SnapshotHome home, BeginSnapshot(connection));
  if (home == SnapshotHome::kMainFile || !wal || !wal->all_copied()) return home;
  const Result<int64_t> after = connection.QueryInt("PRAGMA data_version");
  return after && *after == before ? SnapshotHome::kMainFile : SnapshotHome::kPerhapsInWal;
}

bool InWriteTransaction(const Connection& connection) {
  return sqlite3_txn_state(connection.handle(), "main") == SQLITE_TXN_WRITE;
}

}  // namespace recall
