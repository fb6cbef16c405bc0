#pragma once

#include <cstdint>

namespace recall {

// How the segments of one Store have been read since it was opened, for stats and tests.
struct SegmentAccessCounters {
  int64_t mapped = 0;        // segments opened in place, counted once per transaction
  int64_t copied = 0;        // segments opened for sqlite3_blob_read, counted once per transaction
  int64_t maps_built = 0;    // page maps created
  int64_t maps_dropped = 0;  // page maps dropped: schema change, deleted segment, bad page
  int64_t page_mismatches = 0;  // maps that led to a wrong page; the segment is then copied
};

}  // namespace recall
