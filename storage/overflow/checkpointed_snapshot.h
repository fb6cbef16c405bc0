#pragma once

#include <optional>

#include "storage/base/result.h"
#include "storage/sqlite/wal_index.h"

namespace recall {

class Connection;

// Where the pages of a read transaction's snapshot lie.
enum class SnapshotHome {
  kMainFile,     // all in the database file: it may be read past SQLite
  kPerhapsInWal  // some may be in the WAL only: read through SQLite
};

// Copies what the main file lacks of the WAL into it, unless somebody is writing to the store or
// waits for a turn to do so, and tells what the WAL is like then; nothing where there is none.
// `queue` is the descriptor of WriterQueue; without it (-1) nothing is copied.
// SQLite before 3.51.3 loses commits when one connection begins to copy a WAL that is already
// copied while another begins it anew, so a WAL is copied by whose turn it is to write, and only
// while there is something to copy (https://sqlite.org/wal.html, "The WAL-Reset Bug"; held by
// tests/query/wal_reset_test.cc).
std::optional<WalState> CheckpointWal(Connection& connection, int queue);

// Begins a read transaction and takes its snapshot at once (BEGIN alone takes none). With a
// rollback journal it lies in the main file, because the SHARED lock keeps writers off it.
// On error no transaction is open. Requires: no open transaction.
Result<SnapshotHome> BeginSnapshot(Connection& connection);

// The same, after CheckpointWal. In WAL mode the snapshot lies in the main file if that has every
// frame and PRAGMA data_version did not change from before that look until after BEGIN: then nobody
// committed in between, so the snapshot is what the main file has. A reader of an old snapshot, or
// a writer, can prevent that.
// Cost: some microseconds when there is nothing to copy.
Result<SnapshotHome> BeginCheckpointedSnapshot(Connection& connection, int queue);

// True while the connection holds a write transaction.
bool InWriteTransaction(const Connection& connection);

}  // namespace recall
