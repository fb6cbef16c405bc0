#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

struct StoreCheckOptions {
  bool full = true;  // PRAGMA integrity_check instead of quick_check
};

struct StoreCheckReport {
  // One sentence for each violated invariant of docs/format/store.md, section 7, and for each
  // segment whose mapped bytes differ from those of sqlite3_blob_read. Empty if the store is sound.
  std::vector<std::string> faults;
  std::vector<std::string>
      note_faults;  // those of notes (note_tables_check.h), which are also in `faults`
  int64_t commit_sequence = 0;
  int64_t docs = 0;
  int64_t chunks = 0;
  int64_t segments = 0;
  int64_t mapped_segments = 0;
};

// Checks a store of any format version, like the first process after a crash: the first connection
// runs recovery. Stems, vectors and metadata are computed again from the texts and compared.
// Several processes may check a store at the same time; nobody may write to it.
StoreCheckReport CheckStore(const std::string& path, const StoreCheckOptions& options = {});

// What a user can see of a store: every document with its chunks and vectors, and the results of
// some searches. Independent of the history of the store. With a token: the state of that snapshot.
Result<std::string> DescribeStore(const std::string& path, const std::string& snapshot = "");

// What compaction changes although users cannot see it: removed chunks, the chunks that a token
// still shows, and the chunks in each segment.
Result<std::string> DescribeRemains(const std::string& path);

// The token of the present state, or "" if the store keeps no history.
Result<std::string> PresentToken(const std::string& path);

// Joins them as "a; b; c".
std::string JoinFaults(const std::vector<std::string>& faults);

}  // namespace recall
