#pragma once

// Integers of SQLite's record format (https://sqlite.org/fileformat2.html, section 2.1),
// big-endian.

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "storage/base/coding.h"

namespace recall {

// The bytes that an integer, or NULL, of this serial type has in the body of a record; -1 for the
// types of other values.
inline int BytesOfInteger(uint8_t serial) {
  constexpr int8_t kBytes[] = {0, 1, 2, 3, 4, 6, 8, -1, 0, 0};
  return serial < std::size(kBytes) ? kBytes[serial] : -1;
}

// Reads an integer, or NULL as 0, and moves `at` behind it. Returns false if it is of another type
// or does not end before `end`.
inline bool ReadRecordInteger(uint8_t serial, const uint8_t** at, const uint8_t* end,
                              int64_t* value) {
  const int bytes = BytesOfInteger(serial);
  if (bytes < 0 || end - *at < bytes) return false;
  if (bytes == 0) {
    *value = serial == 9 ? 1 : 0;
    return true;
  }
  int64_t number = 0;
  if (end - *at >= 8) {
    number = static_cast<int64_t>(LoadBig64(*at)) >> (64 - 8 * bytes);
  } else {
    number = static_cast<int8_t>((*at)[0]);
    for (int i = 1; i < bytes; ++i) {
      number = static_cast<int64_t>(static_cast<uint64_t>(number) << 8 | (*at)[i]);
    }
  }
  *at += bytes;
  *value = number;
  return true;
}

}  // namespace recall
