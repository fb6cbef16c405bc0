#pragma once

// The bytes of the lexicon in the program (docs/format/lexicon.md): this header, the texts of all
// stems, zeros up to a multiple of four, and arrays. All integers little-endian.
//
//   header
//   bytes               for each stem, sorted by their bytes:
//                         u8 c, u8 e  its word is the stem without the last c bytes and with an
//                                     ending of e bytes
//                         stem, ending
//   Stem * (stems + 1)  where each stem begins: its text, its concepts, its relatives
//   u32 * concepts      number << 8 | weight: the concepts of each stem, by number
//   u32 * relatives     stem << 8 | similarity: those of each stem, the nearest first

#include <cstddef>
#include <cstdint>

namespace recall::lexicon_format {

struct Header {
  uint32_t magic;
  uint32_t stems;
  uint32_t text_bytes;
  uint32_t concepts;       // entries of all stems
  uint32_t relatives;      // entries of all stems
  uint32_t concept_count;  // numbers of concepts are less
  uint64_t hash;           // HashOf all bytes behind the header
};
static_assert(offsetof(Header, magic) == 0);
static_assert(offsetof(Header, stems) == 4);
static_assert(offsetof(Header, text_bytes) == 8);
static_assert(offsetof(Header, concepts) == 12);
static_assert(offsetof(Header, relatives) == 16);
static_assert(offsetof(Header, concept_count) == 20);
static_assert(offsetof(Header, hash) == 24);
static_assert(sizeof(Header) == 32);

struct Stem {
  uint32_t text;
  uint32_t concepts;
  uint32_t relatives;
};
static_assert(offsetof(Stem, text) == 0);
static_assert(offsetof(Stem, concepts) == 4);
static_assert(offsetof(Stem, relatives) == 8);
static_assert(sizeof(Stem) == 12);

inline constexpr uint32_t kMagic = 0x31584c52;  // "RLX1"
inline constexpr uint32_t kTextHeader = 2;      // bytes before a stem
inline constexpr uint32_t kUnit = 255;          // weights and similarities are in 1/255
inline constexpr uint32_t kMostRelatives = 24;  // of one stem

// FNV-1a, 64 bits.
inline uint64_t HashOf(const uint8_t* bytes, size_t size) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
  return hash;
}

}  // namespace recall::lexicon_format
