#pragma once

// Many concurrent writers and readers of one store, each a process: none is rejected, every reader
// sees whole steps of every writer, and nothing is lost.

#include <cstdint>
#include <string>

namespace recall {

struct CrowdStressOptions {
  std::string directory;  // an empty one, for the store and its files
  std::string journal = "WAL";
  int writers = 8;
  int readers = 8;
  int64_t steps = 20;   // minimum for each writer
  int64_t seconds = 0;  // minimum time
  uint64_t seed = 1;
};

struct CrowdStressReport {
  std::string fault;  // the first one, or ""
  int64_t steps = 0;  // of all writers
  int64_t reads = 0;
  double longest_read_ms = 0;   // to open the store, search and read all documents
  double longest_write_ms = 0;  // to wait for other writers, write and commit
};

// Requires: no other thread runs, and this process has not used SQLite.
CrowdStressReport RunCrowdStress(const CrowdStressOptions& options);

}  // namespace recall
