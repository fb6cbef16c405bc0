#pragma once

#include <cstdint>
#include <vector>

namespace recall {

// How the live chunk rowids of an older commit differ from the present ones.
struct SnapshotRows {
  struct Range {
    uint32_t first;
    uint32_t count;
  };
  // Rows next_chunk .. present_next_chunk - 1 did not exist yet. At most 2^32 both.
  int64_t next_chunk = 0;
  int64_t present_next_chunk = 0;
  std::vector<Range> revived;  // rows that were live, of versions removed since
};

}  // namespace recall
