#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace recall {

// A character set with one byte for a character.
struct CharsetTable {
  std::string_view name;  // lower case, as IANA prefers it
  uint16_t upper[128];    // code points of bytes 0x80 to 0xFF; 0: none
};

extern const CharsetTable kCharsetTables[];
extern const size_t kCharsetTableCount;

// Characters of two bytes, all of them in the basic multilingual plane; U+FFFD where there is none.
// First bytes 0x81-0x9F, 0xE0-0xFC; second 0x40-0x7E, 0x80-0xFC: 188 in a row.
extern const std::u16string_view kShiftJisCharacters;
// First bytes 0x81-0xFE; second 0x40-0x7E, 0x80-0xFE: 190 in a row.
extern const std::u16string_view kGbkCharacters;
// First bytes 0xA1-0xF9; second 0x40-0x7E, 0xA1-0xFE: 157 in a row.
extern const std::u16string_view kBig5Characters;
// First bytes 0x81-0xFE; second 0x41-0x5A, 0x61-0x7A, 0x81-0xFE: 178 in a row.
extern const std::u16string_view kUhcCharacters;

}  // namespace recall
