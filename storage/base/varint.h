#pragma once

// SQLite's variable-length integers, as in its b-trees and in FTS5's records: big-endian, seven
// bits a byte, the highest bit set in all bytes but the last; a ninth byte has eight bits of the
// number.

#include <cstddef>
#include <cstdint>
#include <string>

namespace recall {

// Reads a varint from `at`, which must end before `end`. Returns the address after it, or null if
// it does not end before `end`.
inline const uint8_t* ReadVarint(const uint8_t* at, const uint8_t* end, uint64_t* value) {
  *value = 0;
  for (int i = 0; i < 9; ++i) {
    if (at == end) return nullptr;
    const uint8_t byte = *at++;
    if (i == 8) {
      *value = *value << 8 | byte;
      break;
    }
    *value = *value << 7 | (byte & 0x7fu);
    if (byte < 0x80) break;
  }
  return at;
}

inline void AppendVarint(uint64_t value, std::string* out) {
  if (value < 0x80) {
    out->push_back(static_cast<char>(value));
    return;
  }
  constexpr size_t kMostBytes = 9;
  char bytes[kMostBytes];
  size_t first = kMostBytes;
  if (value >> 56 != 0) {
    bytes[--first] = static_cast<char>(value);
    for (value >>= 8; first > 0; value >>= 7) bytes[--first] = static_cast<char>(0x80 | value);
  } else {
    bytes[--first] = static_cast<char>(value & 0x7f);
    while ((value >>= 7) != 0) bytes[--first] = static_cast<char>(0x80 | value);
  }
  out->append(bytes + first, kMostBytes - first);
}

}  // namespace recall
