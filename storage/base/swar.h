#pragma once

// Operations on eight bytes at once, packed in one 64-bit number (Hacker's Delight, 6-1). A set of
// bytes is represented by the highest bit of each byte in it; the first byte in memory is the
// lowest.

#include <cstdint>

namespace recall {

inline constexpr uint64_t kEachByte = 0x0101010101010101;
inline constexpr uint64_t kEachHighBit = kEachByte * 0x80;

// Marks the bytes that are 0. Bytes above the first zero byte may be marked, too, if they are 1.
inline uint64_t ZeroBytes(uint64_t bytes) { return (bytes - kEachByte) & ~bytes & kEachHighBit; }

}  // namespace recall
