#pragma once

// A VFS that simulates disk faults. It wraps SQLite's own VFS and is registered as the default, so
// the product needs no hook.

#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "tests/fault/power_loss.h"

namespace recall {

// Kinds of operations that can fail. Each kind is counted separately.
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
  kRename,      // renaming or linking a file; EIO
  kAllocation,  // sqlite3_malloc fails
  kPower,       // every change of a file; the power fails before it
};
inline constexpr FaultKind kAllFaultKinds[] = {
    FaultKind::kWrite,    FaultKind::kShortWrite, FaultKind::kFull,       FaultKind::kSync,
    FaultKind::kTruncate, FaultKind::kRead,       FaultKind::kOpen,       FaultKind::kDelete,
    FaultKind::kShmMap,   FaultKind::kRename,     FaultKind::kAllocation, FaultKind::kPower};
std::string_view FaultKindName(FaultKind kind);

struct FaultPlan {
  FaultKind kind = FaultKind::kWrite;
  int64_t nth = 0;  // from 1; 0: never; -1 with kPower: before a rollback journal is deleted
  bool from_then_on = false;
  // Only for kPower:
  Survivors survivors = Survivors::kNone;
  uint64_t seed = 0;
  // Controls, with which a test must detect a fault:
  bool syncs_lie = false;        // kPower: a sync returns at once and has no effect
  bool synchronous_off = false;  // kPower: connections run with PRAGMA synchronous=OFF
  bool writes_lie = false;       // kWrite: the n-th write reports success and has no effect
};

// The exit code of a process that has simulated a power failure.
inline constexpr int kPowerCutExit = 77;

// Makes the failing VFS and memory allocator the default of this process. Call it before SQLite is
// used. They behave like those of the system until a plan is armed. A plan applies to the process;
// call ArmFault and DisarmFault in one thread.
void InstallFaultVfs();
void ArmFault(const FaultPlan& plan);
struct FaultOutcome {
  int64_t count = 0;  // the number of operations of the kind
  std::array<int64_t, std::size(kAllFaultKinds)> counts = {};  // of every kind
  bool happened = false;                                       // a fault occurred
};
FaultOutcome DisarmFault();
// Simulates a power failure now and exits the process. Requires: a plan of kPower is armed.
[[noreturn]] void CutPower(int exit_code);

}  // namespace recall
