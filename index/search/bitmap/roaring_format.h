#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "storage/base/bytes.h"
#include "storage/base/result.h"

namespace recall {

// Checks bytes against the portable Roaring format
// (https://github.com/RoaringBitmap/RoaringFormatSpec) so strictly that it is safe to pass them to
// CRoaring: exact size, ascending keys, correct offsets and cardinalities, ascending members, runs
// in order that neither overlap nor touch. Returns Corruption otherwise.
//
//   u32 cookie: 12346, then u32 containers; or 12347 | (containers - 1) << 16, then one bit per
//               container that is set for a run container
//   u16 key, u16 cardinality - 1        for each container
//   u32 offset of its first byte        for each container; left out when there is a run
//                                       container and fewer than 4 containers
//   containers: run    u16 count, count x (u16 first, u16 length - 1)
//               array  u16 x cardinality          (cardinality <= 4096)
//               bitset 8192 bytes                 (cardinality > 4096)
Status CheckRoaringFormat(ByteSpan bytes);

// The set that has a member `first` + 64 * w + i where bit i of word w is set, in this format:
// without run containers. Requires: `first` is a multiple of 64, and all members have 32 bits.
std::string EncodeRoaring(uint32_t first, std::span<const uint64_t> words);

}  // namespace recall
