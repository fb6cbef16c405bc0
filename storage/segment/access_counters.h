#pragma once

#include <cstdint>

namespace recall {

// How the segments of one Store were read since it was opened, for stats and tests.
struct SegmentAccessCounters {
  int64_t mapped = 0;           // segments opened in place, once per transaction
  int64_t copied = 0;           // segments opened for sqlite3_blob_read, once per transaction
  int64_t maps_built = 0;       // segments whose pages were begun to be found in the file
  int64_t maps_dropped = 0;     // page maps given up: schema change, deleted segment, bad page
  int64_t page_mismatches = 0;  // pages that did not carry what the map said (then: copied)
};

}  // namespace recall
