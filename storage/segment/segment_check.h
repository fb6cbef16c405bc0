#pragma once

#include <cstdint>

#include "storage/base/result.h"
#include "storage/overflow/page_map.h"
#include "storage/segment/segment_header.h"

namespace recall {

class Connection;
class IncrementalBlob;

// Reads the header of segment `id` of the open transaction through SQLite.
// Errors: Corruption, Unsupported.
Result<SegmentHeader> ReadSegmentHeader(Connection& connection, int64_t id);

// Reads page `ordinal` through SQLite into U bytes at `to`, as it is in the file but with zeros
// instead of SQLite's pointer. Does not check it.
Status ReadPage(IncrementalBlob* blob, const SegmentHeader& header, uint32_t ordinal, uint8_t* to);

// Verifies every byte of a segment as SQLite reads it. Errors: Corruption, naming the first damaged
// place.
Status CheckSegmentByCopy(Connection& connection, const SegmentHeader& header);

// The same in the file; also verifies that the pages are chained according to the map.
Status CheckSegmentInPlace(const FilePages& file, const PageMap& pages,
                           const SegmentHeader& header);

// Verifies that vec_segment and vec_data contain the same ids.
Status CheckSegmentTables(Connection& connection);

}  // namespace recall
