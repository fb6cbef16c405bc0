#pragma once

#include <cstdint>

#include "storage/base/coding.h"

namespace recall {

// CRC-32C (Castagnoli, RFC 3720 appendix B.4) of `data`, continuing from `crc` (0 to start).
// Uses the CPU's instruction where there is one; the same value everywhere.
uint32_t Crc32c(ByteSpan data, uint32_t crc = 0);

namespace internal {
// The table-driven form, exposed so that a test can hold both forms together.
uint32_t Crc32cPortable(ByteSpan data, uint32_t crc);
}  // namespace internal

}  // namespace recall
