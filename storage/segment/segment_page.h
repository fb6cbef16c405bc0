#pragma once

#include <cstdint>
#include <span>

#include "storage/base/status.h"
#include "storage/segment/segment_header.h"

namespace recall {

// One page of a segment's chain, as it lies in the file: 4 bytes of SQLite's (zero in a copy),
// 60 of ours, then items.

// Writes page `ordinal`: its header, and checksums over items that are in place already.
// Requires: page.size() == header.layout.usable(); the bytes behind the last item are zero.
void SealPage(const SegmentHeader& header, uint32_t ordinal, std::span<uint8_t> page);

// Verifies that `page` says it is page `ordinal` of this segment. Looks at the first 64 bytes.
Status CheckPageHeader(const SegmentHeader& header, uint32_t ordinal, const uint8_t* page);

// Verifies the rest too: the payload's checksum. Requires: U bytes at `page`.
Status CheckPage(const SegmentHeader& header, uint32_t ordinal, const uint8_t* page);

}  // namespace recall
