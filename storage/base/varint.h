#pragma once

// SQLite's variable-length integers, as its b-trees and FTS5's records have them: big-endian, seven
// bits a byte, the highest bit set in all but the last; all eight bits of a ninth byte count.

#include <cstdint>

namespace recall {

// Reads one from `at`, before `end`. Returns: what is behind it, or null when `end` cuts it off.
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

}  // namespace recall
