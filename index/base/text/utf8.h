#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "storage/base/code_point.h"  // AppendUtf8

namespace recall {

// U+FEFF at the start of a file; it is not part of the text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Whether all of `text` is well-formed UTF-8 (RFC 3629). On failure *bad_byte, if given, is
// the offset of the first ill-formed byte. About 10 GB/s on ASCII.
bool IsValidUtf8(std::string_view text, size_t* bad_byte = nullptr);

// Decodes the code point at `position` and moves past it. Ill-formed bytes give U+FFFD, one each.
// Requires: *position < text.size().
uint32_t DecodeUtf8(std::string_view text, size_t* position);

// Appends `text`, with U+FFFD in place of each ill-formed byte.
void AppendRepairedUtf8(std::string_view text, std::string* out);

// Whether the character has Unicode's property White_Space. CountTokens counts the runs between
// such characters.
bool IsWhiteSpace(uint32_t code_point);

// The largest position <= `position` (and <= the size) that is not inside a well-formed UTF-8
// sequence.
size_t FloorToCharacter(std::string_view text, size_t position);

// As above, and not within a run of visible ASCII: what is cut there has no half of a key or of a
// URL at its end. 0 if the text begins with such a run that is longer.
size_t FloorToWord(std::string_view text, size_t position);

}  // namespace recall
