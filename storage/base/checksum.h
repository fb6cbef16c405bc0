#pragma once

#include <cstdint>

#include "storage/base/coding.h"

namespace recall {

// CRC-32C (Castagnoli, RFC 3720 appendix B.4) of `data`, continuing from `crc` (0 to start). Uses
// the CPU's CRC instruction if it has one; the value is the same on every machine.
uint32_t Crc32c(ByteSpan data, uint32_t crc = 0);

namespace internal {
// The table-driven version, exposed so that a test can compare both.
uint32_t Crc32cPortable(ByteSpan data, uint32_t crc);
}  // namespace internal

}  // namespace recall
