#pragma once

#include <cstdint>
#include <vector>

#include "storage/base/coding.h"
#include "storage/segment/segment_content.h"

namespace recall {

class Connection;

// Writes a segment's two rows. Requires: a write transaction; sections by ascending kind, each of
// the shape that SectionKind says. Returns: the id of the new segment.
// Errors: InvalidArgument when the content contradicts itself; LimitExceeded above 1e9 bytes.
// `space`: the row of table space it belongs to; 0: the first one, or a store from before spaces.
// Memory: one page.
Result<int64_t> WriteSegment(Connection& connection, const SegmentContent& content, int64_t space);

}  // namespace recall
