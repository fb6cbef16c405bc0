#pragma once

// Reads and writes fixed-width integers at unaligned addresses. Everything that Recall writes is
// little-endian; SQLite's page structures are big-endian.

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace recall {

using ByteSpan = std::span<const uint8_t>;

template <typename T>
T LoadLittle(const uint8_t* from) {
  static_assert(std::endian::native == std::endian::little, "big-endian hosts are not supported");
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T>
void StoreLittle(uint8_t* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

inline uint16_t LoadBig16(const uint8_t* from) {
  return static_cast<uint16_t>(from[0] << 8 | from[1]);
}

inline uint32_t LoadBig32(const uint8_t* from) {
  return static_cast<uint32_t>(from[0]) << 24 | static_cast<uint32_t>(from[1]) << 16 |
         static_cast<uint32_t>(from[2]) << 8 | from[3];
}

inline uint64_t LoadBig64(const uint8_t* from) {
  return static_cast<uint64_t>(LoadBig32(from)) << 32 | LoadBig32(from + 4);
}

}  // namespace recall
