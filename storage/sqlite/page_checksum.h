#pragma once

#include <cstdint>
#include <span>

#include "storage/base/coding.h"

namespace recall {

// The checksums of a page of a store. They occupy the last 16 bytes of the page, which SQLite
// leaves alone (byte 20 of the file, "reserved bytes"). U is the page size minus these bytes:
//
//   U       4  CRC-32C of the bytes 0 .. U-1 and U+4 .. U+15
//   U + 4   4  the number of the page, from 1
//   U + 8   4  CRC-32C of the bytes 0 .. U-1, as 8-byte words from the last to the first
//   U + 12  4  1 on page 1 if pages without checksums are accepted; otherwise 0
//
// Integers are little-endian. The page number detects a page that was written to a wrong place. The
// second checksum is for repairs only: it confirms that a bit found by the first one is the damage.
// A page whose trailer is all zeros has no checksums, or has lost its last sector. Programs other
// than Recall leave such pages when they copy a WAL, or a rollback journal, into the file. Every
// transaction of Recall writes page 1, so page 1 is then one of them. Therefore pages without
// checksums are accepted while page 1 has none either. A program that gives page 1 a checksum again
// must set the flag at U + 12, so that the other pages stay acceptable.
inline constexpr uint32_t kPageTrailerBytes = 16;

enum class PageState : uint8_t { kIntact, kUnsealed, kDamaged };

// In all functions `page` is a whole page of 512 .. 65536 bytes, a power of two.
PageState CheckPageTrailer(ByteSpan page, uint32_t number);

// Writes both checksums. Returns false, and changes nothing, if the last bytes of the page are not
// a trailer as these functions write it, because the page then has no room for one.
bool WritePageTrailer(std::span<uint8_t> page, uint32_t number, bool accept_unsealed = false);

// Whether pages without checksums are accepted in a file whose first page ends with these
// kPageTrailerBytes bytes.
bool AcceptsUnsealed(ByteSpan first_trailer);

// Makes the trailer that of a page without checksums.
void ClearPageTrailer(std::span<uint8_t> page);

// Makes a trailer that matches the page one that does not, so that the page stays kDamaged.
void SpoilPageTrailer(std::span<uint8_t> page);

// If exactly one bit of a damaged page is wrong, corrects it and returns true. Damage of another
// kind is taken for a single bit with a probability of 2^-45. Cost: about one millisecond.
bool CorrectSingleBit(std::span<uint8_t> page, uint32_t number);

}  // namespace recall
