#pragma once

// The bytes of a row of posting_list (docs/format/store.md): this header, then arrays by block, the
// blocks' postings and the long counts. All integers little-endian.

#include <cstddef>
#include <cstdint>

namespace recall::posting_format {

struct Header {
  uint32_t blocks;
  uint32_t postings;
  uint32_t long_counts;  // number of counts of kLong and more
  uint32_t reserved;     // 0
};
static_assert(offsetof(Header, blocks) == 0);
static_assert(offsetof(Header, postings) == 4);
static_assert(offsetof(Header, long_counts) == 8);
static_assert(offsetof(Header, reserved) == 12);
static_assert(sizeof(Header) == 16);

inline constexpr uint32_t kRows = 64;       // rows of a block
inline constexpr size_t kBlockBytes = 6;    // bytes of a block in the arrays: number, maximum, size
inline constexpr uint32_t kMostListed = 8;  // a block with more postings has a bit mask of its rows
inline constexpr uint8_t kLong = 255;
inline constexpr size_t kLongCountBytes = 8;  // row, count

}  // namespace recall::posting_format
