#pragma once

#include "storage/base/result.h"

namespace recall {

class Connection;

// Where the pages of a read transaction's snapshot lie.
enum class SnapshotHome {
  kMainFile,     // all in the database file: it may be read past SQLite
  kPerhapsInWal  // some may be in the WAL only: read through SQLite
};

// Begins a read transaction and takes its snapshot at once (BEGIN alone takes none). With a
// rollback journal it lies in the main file, because the SHARED lock keeps writers off it.
// On error no transaction is open. Requires: no open transaction.
Result<SnapshotHome> BeginSnapshot(Connection& connection);

// The same, after copying the WAL into the file. In WAL mode the snapshot lies in the main file
// if the checkpoint copied every frame and PRAGMA data_version did not change from before it
// until after BEGIN: then nobody committed in between, so the snapshot is what was copied. A
// reader of an old snapshot, or a writer, can prevent that.
// Cost: some microseconds when there is nothing to copy.
Result<SnapshotHome> BeginCertifiedSnapshot(Connection& connection);

// True while the connection holds a write transaction.
bool InWriteTransaction(const Connection& connection);

}  // namespace recall
