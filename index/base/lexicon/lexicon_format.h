#pragma once

// The bytes of the lexicon in the program (docs/format/lexicon.md). All integers little-endian.
//
//   header
//   Block * (blocks + 1)  where the records of kBlock stems begin; the last one is where they end
//   texts, by stem        u8 shared   bytes that the stem has in common with the one before it; 0
//   for
//                                     the first of a block
//                         u8 c << 4 | e
//                         the rest of the stem, of whose bytes the last has kLast set
//                         e bytes     its word is the stem without the last c bytes, and these
//   concepts, by stem     u8 count, of each: u16 number, u8 weight; by number
//   relatives, by stem    groups, the nearest first: u8 index << 6 | kMore | count, of each: u16
//   stem
//
// Stems are sorted by their bytes, which are a-z.

#include <cstddef>
#include <cstdint>

namespace recall::lexicon_format {

struct Header {
  uint32_t magic;
  uint32_t stems;
  uint32_t text_bytes;
  uint32_t concept_bytes;
  uint32_t relative_bytes;
  uint32_t concept_count;   // numbers of concepts are less
  uint64_t hash;            // of what the lexicon says; see cmake/lexicon/make_lexicon.cc
  uint8_t similarities[4];  // of the relatives of a group with this index
  uint32_t reserved;        // 0
};
static_assert(offsetof(Header, magic) == 0);
static_assert(offsetof(Header, stems) == 4);
static_assert(offsetof(Header, text_bytes) == 8);
static_assert(offsetof(Header, concept_bytes) == 12);
static_assert(offsetof(Header, relative_bytes) == 16);
static_assert(offsetof(Header, concept_count) == 20);
static_assert(offsetof(Header, hash) == 24);
static_assert(offsetof(Header, similarities) == 32);
static_assert(offsetof(Header, reserved) == 36);
static_assert(sizeof(Header) == 40);

// Offsets in bytes, each from the beginning of its part.
struct Block {
  uint32_t text;
  uint32_t concepts;
  uint32_t relatives;
};
static_assert(offsetof(Block, text) == 0);
static_assert(offsetof(Block, concepts) == 4);
static_assert(offsetof(Block, relatives) == 8);
static_assert(sizeof(Block) == 12);

inline constexpr uint32_t kMagic = 0x32584c52;  // "RLX2"
inline constexpr uint32_t kBlock = 16;          // stems
inline constexpr uint8_t kLast = 0x80;          // in the last byte of a stem
inline constexpr uint32_t kConceptBytes = 3;    // of one concept of a stem
inline constexpr uint8_t kMore = 0x20;          // another group follows
inline constexpr uint8_t kCount = 0x1f;         // relatives of a group
inline constexpr uint32_t kUnit = 255;          // weights and similarities are in 1/255
inline constexpr uint32_t kMostRelatives = 24;  // of one stem
static_assert(kMostRelatives <= kCount);

// FNV-1a, 64 bits.
inline uint64_t HashOf(const uint8_t* bytes, size_t size) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
  return hash;
}

}  // namespace recall::lexicon_format
