#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

struct StoreCheckOptions {
  bool full = true;  // PRAGMA integrity_check, else quick_check
};

struct StoreCheckReport {
  // One sentence for each invariant of docs/format/store.md, section 7, that does not hold, and for
  // each segment whose mapped bytes are not those that sqlite3_blob_read gives. Empty: sound.
  std::vector<std::string> faults;
  int64_t commit_sequence = 0;
  int64_t docs = 0;
  int64_t chunks = 0;
  int64_t segments = 0;
  int64_t mapped_segments = 0;
};

// Reads a store, of any format version, as a process does that comes after a crash: the first
// connection recovers. What follows from the texts (chunks' words, vectors, metadata) is computed
// again and compared. Several processes may check one store; nobody may write to it meanwhile.
StoreCheckReport CheckStore(const std::string& path, const StoreCheckOptions& options = {});

// What a user can tell of a store: every document with its chunks and vectors, and what some
// searches find. Equal for equal contents, whatever happened before. With a token: of that state.
Result<std::string> DescribeStore(const std::string& path, const std::string& snapshot = "");

// What compaction changes and no user can tell: what is removed, what of it a token still shows,
// and which chunks the segments hold.
Result<std::string> DescribeRemains(const std::string& path);

// The token of the present state; "" for a store that keeps no history.
Result<std::string> PresentToken(const std::string& path);

// "a; b; c"
std::string JoinFaults(const std::vector<std::string>& faults);

}  // namespace recall
