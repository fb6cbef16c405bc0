#pragma once

#include <cstdint>
#include <span>

#include "storage/base/coding.h"

namespace recall {

// CRC-32C (Castagnoli, RFC 3720 appendix B.4) of `data`, continuing from `crc` (0 to start). Uses
// the CPU's CRC instruction if it has one; the value is the same on every machine.
uint32_t Crc32c(ByteSpan data, uint32_t crc = 0);

// Continues crcs[i] over rows[i], each of `length` bytes: the same as Crc32c for each, but up to
// three times as fast for short rows, because one CRC must wait for each of its steps.
void Crc32cRows(std::span<const uint8_t* const> rows, size_t length, std::span<uint32_t> crcs);

namespace internal {
// The table-driven version, exposed so that a test can compare both.
uint32_t Crc32cPortable(ByteSpan data, uint32_t crc);
}  // namespace internal

}  // namespace recall
