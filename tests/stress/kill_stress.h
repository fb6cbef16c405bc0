#pragma once

// kill -9 of a writer at any moment, while other processes read: after each kill the store is
// sound, every step that was acknowledged is there, and none is there in part. The fault model is
// the death of a process; power loss is the business of tests/fault.

#include <cstdint>
#include <string>

#include "tests/stress/segment_watch.h"

namespace recall {

// What a control does wrong. A run with it must find a fault, or runs without it prove nothing.
enum class StressControl {
  kNone,
  kAcknowledgeEarly,  // the writer says "done" before it begins
  kSplitCommits,      // the writer commits each document of a step by itself
  kLoseJournal,       // the WAL or rollback journal is deleted after the kill
  kReadUncertified,   // readers leave out BrokenRule::kCertificate
  kReadAfterwards,    // readers leave out BrokenRule::kTransaction
};

struct KillStressOptions {
  std::string directory;  // for the store and its files; empty
  std::string journal = "WAL";
  int64_t kills = 100;
  uint64_t seed = 1;
  int readers = 2;
  int64_t most_micros = 15'000;  // that a writer lives on after the steps it may take
  int64_t readers_live = 100;    // kills; then they are killed too, and the next recover alone
  StressControl control = StressControl::kNone;
};

struct KillStressReport {
  std::string fault;  // the first one; "" when there was none
  int64_t kills = 0;
  int64_t steps = 0;         // that were acknowledged or found done
  int64_t kills_inside = 0;  // kills after which the step under way was found done
  int64_t reads = 0;
  int64_t mapped = 0;
  int64_t copied = 0;
  int64_t raw_pages = 0;
};

// Ends at the first fault. Requires: no other thread, and SQLite not yet used by this process.
KillStressReport RunKillStress(const KillStressOptions& options);

}  // namespace recall
