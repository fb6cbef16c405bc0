#pragma once

// Many writers and many readers of one store at once, each a process: nobody is turned away, every
// reader sees whole steps of every writer, and nothing is lost.

#include <cstdint>
#include <string>

namespace recall {

struct CrowdStressOptions {
  std::string directory;  // for the store and its files; empty
  std::string journal = "WAL";
  int writers = 8;
  int readers = 8;
  int64_t steps = 20;   // of each writer at least
  int64_t seconds = 0;  // and so long at least
  uint64_t seed = 1;
};

struct CrowdStressReport {
  std::string fault;  // the first one; "" when there was none
  int64_t steps = 0;  // of all writers
  int64_t reads = 0;
  double longest_read_ms = 0;   // from wanting to read to having read and searched
  double longest_write_ms = 0;  // from wanting to write to the end of the commit
};

// Requires: no other thread, and SQLite not yet used by this process.
CrowdStressReport RunCrowdStress(const CrowdStressOptions& options);

}  // namespace recall
