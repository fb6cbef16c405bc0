#pragma once

// Kills a writer (kill -9) at random moments while other processes read. After each kill the store
// must be sound, and contain every acknowledged step and no partial one. The fault model is the
// death of a process; tests/fault simulates power failures.

#include <cstdint>
#include <string>

#include "tests/stress/segment_watch.h"

namespace recall {

// The rule that a control breaks. A run with a control must find a fault; otherwise the test could
// not detect any.
enum class StressControl {
  kNone,
  kAcknowledgeEarly,  // the writer says "done" before it begins
  kSplitCommits,      // the writer commits each document of a step separately
  kLoseJournal,       // the WAL or rollback journal is deleted after the kill
  kReadUncertified,   // readers break BrokenRule::kCertificate
  kReadAfterwards,    // readers break BrokenRule::kTransaction
};

struct KillStressOptions {
  std::string directory;  // an empty one, for the store and its files
  std::string journal = "WAL";
  int64_t kills = 100;
  uint64_t seed = 1;
  int readers = 2;
  int64_t most_micros = 15'000;  // maximum time from a writer's last allowed step to its kill
  int64_t readers_live = 100;    // kills; then readers are killed, and new ones recover alone
  StressControl control = StressControl::kNone;
};

struct KillStressReport {
  std::string fault;  // the first one, or ""
  int64_t kills = 0;
  int64_t steps = 0;         // acknowledged, or found done after a kill
  int64_t kills_inside = 0;  // kills after which the step in progress was found done
  int64_t reads = 0;
  int64_t mapped = 0;
  int64_t copied = 0;
  int64_t raw_pages = 0;
};

// Ends at the first fault. Requires: no other thread runs, and this process has not used SQLite.
KillStressReport RunKillStress(const KillStressOptions& options);

}  // namespace recall
