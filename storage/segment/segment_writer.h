#pragma once

#include <cstdint>
#include <vector>

#include "storage/base/coding.h"
#include "storage/segment/segment_content.h"

namespace recall {

class Connection;

// Writes a segment's two rows. Requires: a write transaction; sections by ascending kind, each of
// the shape that SectionKind states. Returns: the id of the new segment. Errors: InvalidArgument if
// the content contradicts itself; LimitExceeded above 1e9 bytes. `space`: its row in table space;
// 0: the first space, or a store of a format without spaces. Memory: one page.
Result<int64_t> WriteSegment(Connection& connection, const SegmentContent& content, int64_t space);

}  // namespace recall
