#pragma once

// Makes damaged copies of a store (one byte changed or the file truncated), and records how the
// program reads them.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/damage/store_questions.h"

namespace recall {

// Makes TempDir use a file system in memory, if there is one, where a sync costs nothing.
void PutFilesInMemory();

// The files of a store (or one other file) by suffix: "", "-wal".
using FileBytes = std::map<std::string, std::string>;
FileBytes ReadFiles(const std::string& path);
void WriteFiles(const std::string& path, const FileBytes& files);

// True for the error codes that a damaged file may cause.
bool IsCleanRefusal(StatusCode code);

// A byte is XORed with `mask`; if `mask` is 0, the file is truncated before the byte.
struct Damage {
  std::string file;  // as in FileBytes
  size_t at = 0;
  uint8_t mask = 0;
};

struct SweepCount {
  int64_t tried = 0;
  int64_t same = 0;                // all answers are right
  int64_t refused = 0;             // some answers are clean errors, all others are right
  int64_t other = 0;               // at least one answer differs from the right one
  int64_t unseen = 0;              // copies counted in `other` in which `recheck` finds nothing
  std::vector<std::string> wrong;  // crashes, hangs, and errors that report a fault of the program
  std::vector<std::string> unseen_at;
};

struct Sweep {
  std::string path;
  FileBytes files;
  std::function<Answers(const std::string& path)> ask;
  // Other contents whose answers also count as right. Empty: only those of `files` do.
  FileBytes also_right;
  // A thorough check of the file, run if an answer is different. Returns: "" if it finds nothing.
  std::function<std::string(const std::string& path)> recheck;
};

// Tests the damaged copies one after the other, in processes limited to 1 GB of memory and ten
// seconds each.
SweepCount RunSweep(const Sweep& sweep, const std::vector<Damage>& damages);

// Changes of single bytes: of all that are not zero, and of each `step`-th other one. With `most` >
// 0, a sample of about that size.
std::vector<Damage> FlippedBytes(const FileBytes& files, size_t step, size_t most);
// Truncations before each of these bytes.
std::vector<Damage> CutEnds(const FileBytes& files, const std::string& file, size_t step,
                            size_t most);

}  // namespace recall
