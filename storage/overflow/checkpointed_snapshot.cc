#include "storage/overflow/checkpointed_snapshot.h"

#include <sqlite3.h>

#include <string>

#include "storage/sqlite/connection.h"
#include "storage/sqlite/writer_queue.h"

namespace recall {
// The problem: segments are read from a memory mapping of the database file, past SQLite. In WAL
// mode the newest version of a page may be in the WAL only; then the file contains older or
// unrelated bytes.
//
// The idea: prove that the main file contains the whole snapshot of a read transaction.
//
//   1  v1 = PRAGMA data_version      changes when another connection commits
//   2  passive checkpoint            (in the writer queue, see below)
//   3  WAL index: all frames copied to the file?   no -> kPerhapsInWal
//   4  BEGIN, SELECT                 takes the snapshot
//   5  v2 = PRAGMA data_version      v1 = v2: no commit between 1 and 4, so the
//                                    snapshot is the state copied in 3
//
// While the transaction is open the file keeps that state: SQLite never copies frames to the file
// that are newer than the snapshot of an open reader. Nothing is assumed when a step fails; the
// caller then reads through SQLite.
//
// Invariant: a checkpoint runs only in the writer queue and only if there are frames to copy.
// SQLite before 3.51.3 can lose commits if one connection starts to copy a completely copied WAL
// while another one restarts it (https://sqlite.org/wal.html, "The WAL-Reset Bug").
//
// Cost: a few microseconds if there is nothing to copy. A reader of an older snapshot, or a busy
// writer, prevents step 3. Sources: SQLite's wal.c (walCheckpoint, walTryBeginRead);
// docs/format/segment.md, section 9.

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
  // Failures are ignored: a reader may still need the WAL, or the process may not write here.
  sqlite3_wal_checkpoint_v2(connection.handle(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr,
                            nullptr);
  return ReadWalState(connection);
}

Result<SnapshotHome> BeginSnapshot(Connection& connection) {
  RECALL_TRY(connection.BeginRead());
  Result<SnapshotHome> home = TakeSnapshot(connection);
  if (!home && connection.InTransaction()) connection.Rollback().IgnoreError();
  return home;
}

Result<SnapshotHome> BeginCheckpointedSnapshot(Connection& connection, int queue) {
  if (connection.borrowed()) {
    // It may have a transaction already, in which nothing can be copied, and may have written.
    RECALL_TRY(BeginSnapshot(connection));
    return SnapshotIsInMainFile(connection) ? SnapshotHome::kMainFile : SnapshotHome::kPerhapsInWal;
  }
  RECALL_ASSIGN(Statement statement, connection.Prepare("PRAGMA data_version"));
  const auto data_version = [&]() -> Result<int64_t> {
    const StatementScope select(&statement);
    RECALL_ASSIGN([[maybe_unused]] const bool row, select->Step());
    return select->ColumnInt(0);
  };
  RECALL_ASSIGN(const int64_t before, data_version());
  const std::optional<WalState> wal = CheckpointWal(connection, queue);
  RECALL_ASSIGN(const SnapshotHome home, BeginSnapshot(connection));
  if (home == SnapshotHome::kMainFile || !wal || !wal->all_copied()) return home;
  const Result<int64_t> after = data_version();
  return after && *after == before ? SnapshotHome::kMainFile : SnapshotHome::kPerhapsInWal;
}

// The frames that a checkpoint copies are never newer than the snapshot of an open reader. So if
// all frames of the WAL are copied while the transaction is open, none of them is newer, and none
// of the snapshot is missing. A WAL that is restarted meanwhile was copied before, and belongs to a
// reader that has read the main file only.
bool SnapshotIsInMainFile(Connection& connection) {
  if (sqlite3_txn_state(connection.handle(), "main") != SQLITE_TXN_READ) return false;
  const auto journal = connection.QueryText("PRAGMA journal_mode");
  if (!journal) return false;
  if (*journal != "wal") return true;
  const std::optional<WalState> wal = ReadWalState(connection);
  return wal && wal->all_copied();
}

bool InWriteTransaction(const Connection& connection) {
  return sqlite3_txn_state(connection.handle(), "main") == SQLITE_TXN_WRITE;
}

}  // namespace recall
