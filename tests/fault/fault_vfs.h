#pragma once

// A disk that fails on demand: a VFS over SQLite's own, registered as the default, so that the
// product under test needs no hook.

#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "tests/fault/power_loss.h"

namespace recall {

// What can fail. Each kind is counted by itself.
enum class FaultKind {
  kWrite,       // SQLITE_IOERR_WRITE, nothing is written
  kShortWrite,  // the first half is written, then SQLITE_IOERR_WRITE
  kFull,        // SQLITE_FULL
  kSync,        // SQLITE_IOERR_FSYNC, and nothing is synced
  kTruncate,    // SQLITE_IOERR_TRUNCATE
  kRead,        // SQLITE_IOERR_READ
  kOpen,        // SQLITE_CANTOPEN
  kDelete,      // SQLITE_IOERR_DELETE
  kShmMap,      // SQLITE_IOERR_SHMMAP
  kRename,      // a file gets another or a second name; EIO
  kAllocation,  // sqlite3_malloc has no memory
  kPower,       // every change of a file is a moment before which the power may go
};
inline constexpr FaultKind kAllFaultKinds[] = {
    FaultKind::kWrite,    FaultKind::kShortWrite, FaultKind::kFull,       FaultKind::kSync,
    FaultKind::kTruncate, FaultKind::kRead,       FaultKind::kOpen,       FaultKind::kDelete,
    FaultKind::kShmMap,   FaultKind::kRename,     FaultKind::kAllocation, FaultKind::kPower};
std::string_view FaultKindName(FaultKind kind);

struct FaultPlan {
  FaultKind kind = FaultKind::kWrite;
  int64_t nth = 0;  // from 1; 0: never; -1, with kPower: before a rollback journal is deleted
  bool from_then_on = false;
  // kPower:
  Survivors survivors = Survivors::kNone;
  uint64_t seed = 0;
  // Controls, with which a test must find something wrong:
  bool syncs_lie = false;        // kPower: a sync returns at once and nothing is durable
  bool synchronous_off = false;  // kPower: connections run with PRAGMA synchronous=OFF
  bool writes_lie = false;       // kWrite: the n-th write is lost and reported as done
};

// The exit code of a process whose power was cut.
inline constexpr int kPowerCutExit = 77;

// Makes the failing VFS the default of this process, and its memory SQLite's. Must be called before
// SQLite is used. It does what the system's does until a plan is armed. The faults are the
// process's; arm and disarm from one thread.
void InstallFaultVfs();
void ArmFault(const FaultPlan& plan);
struct FaultOutcome {
  int64_t count = 0;  // operations of the kind that there were
  std::array<int64_t, std::size(kAllFaultKinds)> counts = {};  // of every kind
  bool happened = false;                                       // one of them failed
};
FaultOutcome DisarmFault();
// The power goes now. Leaves the process. Requires: a plan of kPower is armed.
[[noreturn]] void CutPower(int exit_code);

}  // namespace recall
