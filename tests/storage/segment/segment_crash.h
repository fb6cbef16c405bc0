#pragma once

// The segments that segment_crash_writer writes and segment_crash_test expects.

#include "tests/storage/segment/segment_test_util.h"

namespace recall::testing {

// The content of segment `id`.
inline SegmentContent ContentOf(int64_t id) {
  const auto seed = static_cast<uint32_t>(id);
  return MakeContent(seed, 1 + seed * 2654435761u % 900);
}

// The id that the next segment will get. Requires: a write transaction.
inline int64_t NextSegmentId(Connection& connection) {
  return connection.QueryInt("SELECT seq FROM sqlite_sequence WHERE name = 'vec_segment'")
             .value_or(0) +
         1;
}

}  // namespace recall::testing
