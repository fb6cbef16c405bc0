#pragma once

// Eight bytes that are looked at together, as one number (Hacker's Delight, 6-1). Sets of them are
// the highest bits of their bytes; the first byte's is the lowest.

#include <cstdint>

namespace recall {

inline constexpr uint64_t kEachByte = 0x0101010101010101;
inline constexpr uint64_t kEachHighBit = kEachByte * 0x80;

// Bytes that are 0; perhaps some above the first that is, which are 1.
inline uint64_t ZeroBytes(uint64_t bytes) { return (bytes - kEachByte) & ~bytes & kEachHighBit; }

}  // namespace recall
