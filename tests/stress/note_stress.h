#pragma once

// Kills a writer of notes (kill -9) at random moments. After each kill the store must be what the
// last acknowledged step left, or the one after it, and so must its answers; earlier commits must
// still be what they were.

#include <cstdint>
#include <string>

namespace recall {

struct NoteStressOptions {
  std::string directory;  // an empty one
  int64_t steps = 1000;   // at least
  uint64_t seed = 1;
  // The writer acknowledges each step before it begins: must be found out.
  bool acknowledge_early = false;
};

struct NoteStressReport {
  std::string fault;  // the first one, or ""
  int64_t steps = 0;
  int64_t kills = 0;
  int64_t kills_inside = 0;  // kills after which the step in progress was found done
  int64_t snapshots = 0;     // older commits whose answers were compared
};

// Ends at the first fault. Requires: no other thread runs, and this process has not used SQLite.
NoteStressReport RunNoteStress(const NoteStressOptions& options);

}  // namespace recall
