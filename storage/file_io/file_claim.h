#pragma once

// How a process marks a file that it is making, so that others can tell it from one that a killed
// process left: by a lock on one byte far behind the end of the file, or on the whole file where
// the system has no such locks (storage/base/file_locks.h). The kernel drops the lock when the
// process ends, however it ends. The locks of SQLite and of the writer queue are not affected.

#include <string>

namespace recall {

enum class ClaimOutcome {
  kClaimed,
  kTaken,        // another process examines the file in order to remove it
  kUnsupported,  // the file system has no such locks
};

// Claims the open file until `descriptor` is closed. Requires: it is open for writing.
ClaimOutcome ClaimFile(int descriptor);

// Whether no process holds any lock on the open file, neither a claim nor one of SQLite. If so, it
// is locked as a whole until `descriptor` is closed, so that nobody can claim it. False if the file
// system has no such locks. Requires: `descriptor` is open for writing.
bool IsUnused(int descriptor);

}  // namespace recall
