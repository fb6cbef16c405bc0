#pragma once

// The bytes of a part `terms` (docs/format/model.md): this header, then the numbers of terms by
// letters, then the first terms of the pieces. All integers little-endian. Never change a field: a
// new layout gets a new version.

#include <cstddef>
#include <cstdint>

namespace recall::term_index_format {

inline constexpr char kMagic[4] = {'R', 'T', 'R', 'M'};
inline constexpr uint16_t kVersion = 1;

struct [[gnu::packed]] Header {
  char magic[4];      // "RTRM"
  uint16_t version;   // 1
  uint16_t bits;      // 2^bits pieces of trigram lists, 0 .. 12
  uint32_t terms;     // 0 .. 2^26
  uint32_t checksum;  // CRC-32C of the fields before it and of all that follows
};
static_assert(offsetof(Header, magic) == 0);
static_assert(offsetof(Header, version) == 4);
static_assert(offsetof(Header, bits) == 6);
static_assert(offsetof(Header, terms) == 8);
static_assert(offsetof(Header, checksum) == 12);
static_assert(sizeof(Header) == 16);

inline constexpr uint32_t kMostBits = 12;
inline constexpr uint32_t kMostTerms = 1 << 26;
inline constexpr uint32_t kMostLetters = 64;  // of a term; a letter has one byte or more
inline constexpr uint32_t kTermsPerPiece = 256;

}  // namespace recall::term_index_format
