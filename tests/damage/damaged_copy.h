#pragma once

// Files of a store with one byte changed or the end cut off, and what a program then sees.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "query/database.h"

namespace recall {

// The files of a store (or one other file) by what follows its path: "", "-wal".
using FileBytes = std::map<std::string, std::string>;
FileBytes ReadFiles(const std::string& path);
void WriteFiles(const std::string& path, const FileBytes& files);

// Answers to some questions, each by itself: "code message" in place of one that failed.
struct Answer {
  std::string text;
  Status status;
};
using Answers = std::vector<Answer>;
// Everything that reads: searches, filters, a snapshot, context, get, export, counts.
Answers AskStore(const std::string& path);

// What a program may say of a file that is not as it should be.
bool IsCleanRefusal(StatusCode code);

// One damage: a byte is XORed with `mask`, or, where that is 0, the file ends before it.
struct Damage {
  std::string file;  // as in FileBytes
  size_t at = 0;
  uint8_t mask = 0;
};

struct SweepCount {
  int64_t tried = 0;
  int64_t same = 0;                // all answers as before
  int64_t refused = 0;             // some refused, the others as before
  int64_t other = 0;               // some answer is another one
  int64_t unseen = 0;              // of these, `recheck` found nothing either
  std::vector<std::string> wrong;  // crashes, hangs, errors that blame the program itself
  std::vector<std::string> unseen_at;
};

struct Sweep {
  std::string path;
  FileBytes files;
  std::function<Answers(const std::string& path)> ask;
  // Other files whose answers are right too; none: those of `files` alone are.
  FileBytes also_right;
  // For damage that changes an answer: a thorough check of the file. Returns: "" when it finds
  // nothing.
  std::function<std::string(const std::string& path)> recheck;
};

// Does all these damages, one after the other, in processes that may use 1 GB and ten seconds for
// each.
SweepCount RunSweep(const Sweep& sweep, const std::vector<Damage>& damages);

// Bytes of the files to change: every one that is not zero, and of the others each `step`-th; with
// `most` > 0 about so many of all these.
std::vector<Damage> FlippedBytes(const FileBytes& files, size_t step, size_t most);
// Lengths to cut to: before each of these bytes.
std::vector<Damage> CutEnds(const FileBytes& files, const std::string& file, size_t step,
                            size_t most);

}  // namespace recall
