#pragma once

// Kills `doctor --fix` and `backup` (kill -9) at random moments, with a store of any size.
//
// After a killed repair, the damaged store must still exist: unchanged, or as a complete copy
// beside the changed one. The next repair must restore all primary data. After a killed backup, the
// backup must be complete or absent. Once the command is repeated, no unfinished file may be left.
//
// Cost of a trial: a copy of the store, and two to three runs of the command and of an export.

#include <cstdint>
#include <string>

namespace recall {

struct RepairStressOptions {
  std::string directory;  // an empty one
  std::string store;      // a sound store without a WAL; empty: a small one is made
  int64_t kills = 20;     // of each command
  uint64_t seed = 1;
  // A control, which must lead to a fault: the damage is one that cannot be repaired.
  bool beyond_repair = false;
};

struct RepairStressReport {
  std::string fault;  // the first one, or ""
  int64_t store_bytes = 0;
  int64_t repairs_killed = 0;    // while they ran
  int64_t repairs_finished = 0;  // before they were to be killed
  int64_t backups_killed = 0;
  int64_t backups_finished = 0;
};

// Ends at the first fault. Requires: no other thread runs, and this process has not used SQLite.
RepairStressReport RunRepairStress(const RepairStressOptions& options);

}  // namespace recall
