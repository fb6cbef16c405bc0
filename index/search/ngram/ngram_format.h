#pragma once

// The bytes of a part `grams` (docs/format/model.md): this header, then the buckets. All integers
// little-endian. Never change a field: a new layout gets a new version.

#include <cstddef>
#include <cstdint>

namespace recall::ngram_format {

inline constexpr char kMagic[4] = {'R', 'G', 'R', 'M'};
inline constexpr uint16_t kVersion = 1;

struct [[gnu::packed]] Header {
  char magic[4];      // "RGRM"
  uint16_t version;   // 1
  uint16_t bits;      // 2^bits buckets
  uint32_t chunks;    // N: chunks of the sample
  uint64_t ngrams;    // n-grams of the sample
  uint32_t checksum;  // CRC-32C of the fields before it and of the buckets
};
static_assert(offsetof(Header, magic) == 0);
static_assert(offsetof(Header, version) == 4);
static_assert(offsetof(Header, bits) == 6);
static_assert(offsetof(Header, chunks) == 8);
static_assert(offsetof(Header, ngrams) == 12);
static_assert(offsetof(Header, checksum) == 20);
static_assert(sizeof(Header) == 24);

}  // namespace recall::ngram_format
