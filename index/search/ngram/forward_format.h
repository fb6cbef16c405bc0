#pragma once

// The header of a dictionary of the forward index (docs/format/store.md, "word_dictionary,
// chunk_words"). After it come the length of each word, one byte each, and the words. All integers
// little-endian. Never change a field: a new layout gets a new version.

#include <cstddef>
#include <cstdint>

namespace recall::forward_format {

inline constexpr char kMagic[4] = {'R', 'W', 'R', 'D'};
inline constexpr uint16_t kVersion = 1;

struct [[gnu::packed]] Header {
  char magic[4];        // "RWRD"
  uint16_t version;     // 1
  uint16_t reserved;    // 0
  uint32_t words;       // number of words
  uint32_t text_bytes;  // bytes of all words
  uint32_t checksum;    // CRC-32C of the fields before it and of the bytes after it
};
static_assert(offsetof(Header, magic) == 0);
static_assert(offsetof(Header, version) == 4);
static_assert(offsetof(Header, reserved) == 6);
static_assert(offsetof(Header, words) == 8);
static_assert(offsetof(Header, text_bytes) == 12);
static_assert(offsetof(Header, checksum) == 16);
static_assert(sizeof(Header) == 20);

// The maximum length of a word, in the dictionary and in a record.
inline constexpr size_t kMostWordBytes = 127;
// In the length byte of a word that a record spells out: a count follows the word.
inline constexpr uint8_t kRepeated = 0x80;

}  // namespace recall::forward_format
