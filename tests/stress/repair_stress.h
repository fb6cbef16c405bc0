#pragma once

// Kills `doctor --fix` and `backup` (kill -9) at random moments of their work on a damaged or sound
// store of any size. A killed repair must leave the damaged store as the copy beside it or in
// place, and the next repair must restore it. A killed backup must leave no file with the name of
// the backup, or a complete one.

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
