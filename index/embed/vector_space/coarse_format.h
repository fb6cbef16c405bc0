#pragma once

// The bytes of a part `cells` of a model (docs/format/model.md): this header, then the counts, in
// version 2 the mean cosines, and the centroids. All integers little-endian. Never change a field:
// a new layout gets a new version.

#include <cstddef>
#include <cstdint>

namespace recall::coarse_format {

inline constexpr char kMagic[4] = {'R', 'C', 'E', 'L'};
inline constexpr uint16_t kWithoutCosines = 1;
inline constexpr uint16_t kWithCosines = 2;

struct Header {
  char magic[4];      // "RCEL"
  uint16_t version;   // 1 or 2
  uint16_t dim;       // components of a centroid: the padded dimension of the space
  uint16_t lists;     // 1 .. 4096
  uint16_t reserved;  // 0
  uint32_t checksum;  // CRC-32C of the fields before it and of everything after the header
};
static_assert(offsetof(Header, magic) == 0);
static_assert(offsetof(Header, version) == 4);
static_assert(offsetof(Header, dim) == 6);
static_assert(offsetof(Header, lists) == 8);
static_assert(offsetof(Header, reserved) == 10);
static_assert(offsetof(Header, checksum) == 12);
static_assert(sizeof(Header) == 16);

}  // namespace recall::coarse_format
