#pragma once

#include <cstdint>
#include <span>

#include "storage/base/status.h"
#include "storage/segment/segment_header.h"

namespace recall {

// One page of a segment's chain as it is in the file: 4 bytes of SQLite's (zero in a copy), 60
// bytes of header, then items.

// Writes the header of page `ordinal`, with checksums over the items that are already in place.
// Requires: page.size() == header.layout.usable(); the bytes after the last item are zero.
void SealPage(const SegmentHeader& header, uint32_t ordinal, std::span<uint8_t> page);

// Verifies that the header of `page` is that of page `ordinal` of this segment. Reads the first 64
// bytes.
Status CheckPageHeader(const SegmentHeader& header, uint32_t ordinal, const uint8_t* page);

// Also verifies the checksum of the items. Requires: U bytes at `page`.
Status CheckPage(const SegmentHeader& header, uint32_t ordinal, const uint8_t* page);

}  // namespace recall
