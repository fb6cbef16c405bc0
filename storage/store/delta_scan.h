#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "storage/base/coding.h"
#include "storage/store/store.h"

namespace recall {

// Chunk rowids are 32-bit numbers.
inline constexpr int64_t kMaxChunkRow = std::numeric_limits<uint32_t>::max();

// Visits the delta records of the active vector space, by ascending chunk rowid. A record is valid
// until the visitor returns, whose error ends the scan. Errors: Corruption for an invalid row.
using DeltaVisitor = std::function<Status(uint32_t chunk, ByteSpan record)>;
Status ScanDelta(const ReadTransaction& transaction, const DeltaVisitor& visit);

}  // namespace recall
