#include "storage/region/certified_snapshot.h"

#include <sqlite3.h>

#include <string>

#include "storage/sqlite/connection.h"

namespace recall {
namespace {

Result<SnapshotHome> TakeSnapshot(Connection& connection) {
  RECALL_TRY(connection.QueryInt("SELECT count(*) FROM sqlite_schema"));
  RECALL_ASSIGN(const std::string mode, connection.QueryText("PRAGMA journal_mode"));
  return mode == "wal" ? SnapshotHome::kPerhapsInWal : SnapshotHome::kMainFile;
}

// True when the connection uses a WAL and all of it is in the main file now. A checkpoint that
// cannot run (busy, read-only) is no error, only no certificate.
bool CopyWal(Connection& connection) {
  int frames = -1;
  int copied = -1;
  const int code = sqlite3_wal_checkpoint_v2(connection.handle(), "main", SQLITE_CHECKPOINT_PASSIVE,
                                             &frames, &copied);
  return code == SQLITE_OK && frames >= 0 && frames == copied;
}

}  // namespace

Result<SnapshotHome> BeginSnapshot(Connection& connection) {
  RECALL_TRY(connection.Execute("BEGIN"));
  Result<SnapshotHome> home = TakeSnapshot(connection);
  if (!home && connection.InTransaction()) connection.Execute("ROLLBACK").IgnoreError();
  return home;
}

Result<SnapshotHome> BeginCertifiedSnapshot(Connection& connection) {
  RECALL_ASSIGN(const int64_t before, connection.QueryInt("PRAGMA data_version"));
  const bool copied = CopyWal(connection);
  RECALL_ASSIGN(const SnapshotHome home, BeginSnapshot(connection));
  if (home == SnapshotHome::kMainFile || !copied) return home;
  const Result<int64_t> after = connection.QueryInt("PRAGMA data_version");
  return after && *after == before ? SnapshotHome::kMainFile : SnapshotHome::kPerhapsInWal;
}

bool InWriteTransaction(const Connection& connection) {
  return sqlite3_txn_state(connection.handle(), "main") == SQLITE_TXN_WRITE;
}

}  // namespace recall
