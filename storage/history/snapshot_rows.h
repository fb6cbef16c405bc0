#pragma once

#include <cstdint>
#include <vector>

namespace recall {

// The difference between the live chunk rowids of an older commit and those of the present one.
struct SnapshotRows {
  struct Range {
    uint32_t first;
    uint32_t count;
  };
  // Rows next_chunk .. present_next_chunk - 1 did not exist yet. At most 2^32 both.
  int64_t next_chunk = 0;
  int64_t present_next_chunk = 0;
  std::vector<Range> revived;  // rows of versions that were live and have been removed since
};

}  // namespace recall
