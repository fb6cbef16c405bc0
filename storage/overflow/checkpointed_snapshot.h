#pragma once

#include <optional>

#include "storage/base/result.h"
#include "storage/sqlite/wal_index.h"

namespace recall {

class Connection;

// Where the pages of a read transaction's snapshot are.
enum class SnapshotHome {
  kMainFile,     // all in the database file, which may be read past SQLite
  kPerhapsInWal  // some may only be in the WAL: must be read through SQLite
};

// Copies the frames of the WAL that the main file lacks into it, unless a writer is active or
// waiting, and returns the state of the WAL afterwards; nothing if there is no WAL. `queue` is the
// descriptor for WriterQueue; with -1 nothing is copied. The checkpoint runs in the writer queue
// and only if there are frames to copy, because SQLite before 3.51.3 can otherwise lose commits
// (https://sqlite.org/wal.html, "The WAL-Reset Bug"; tested by
// tests/storage/overflow/wal_reset_test.cc).
std::optional<WalState> CheckpointWal(Connection& connection, int queue);

// Begins a read transaction and takes its snapshot at once (BEGIN alone takes none). With a
// rollback journal the snapshot is the main file, because the SHARED lock excludes writers. On
// error no transaction is open. Requires: no open transaction.
Result<SnapshotHome> BeginSnapshot(Connection& connection);

// The same, after CheckpointWal. In WAL mode the snapshot is in the main file if the file contains
// every frame and PRAGMA data_version is the same before the checkpoint and after BEGIN: then no
// other connection committed in between. A reader of an older snapshot, or a writer, can prevent
// that. Through a borrowed connection nothing is copied. Cost: a few microseconds if there is
// nothing to copy.
Result<SnapshotHome> BeginCheckpointedSnapshot(Connection& connection, int queue);

// Whether the snapshot of the open read transaction lies in the main file, now and until it ends.
// False in a write transaction. Cost: a few microseconds.
bool SnapshotIsInMainFile(Connection& connection);

// True while the connection has an open write transaction.
bool InWriteTransaction(const Connection& connection);

}  // namespace recall
