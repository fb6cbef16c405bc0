#pragma once

#include <cstddef>
#include <string_view>

#include "storage/base/ascii.h"

namespace recall {

// Whether names of source code have the byte: letters, digits, `_`, and all bytes of characters
// outside of ASCII.
inline bool IsCodeNameByte(char c) { return IsAsciiAlnum(c) || c == '_' || (c & 0x80) != 0; }

// The first place of a name at or behind `from` that is not part of a longer name; npos if there is
// none, and for an empty name. An end of the name that no name has, as of `operator==`, may stand
// beside any byte.
inline size_t FindCodeName(std::string_view text, std::string_view name, size_t from = 0) {
  if (name.empty()) return text.npos;
  for (size_t at = text.find(name, from); at != text.npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool begins = at == 0 || !IsCodeNameByte(text[at - 1]) || !IsCodeNameByte(name.front());
    const bool ends =
        end == text.size() || !IsCodeNameByte(text[end]) || !IsCodeNameByte(name.back());
    if (begins && ends) return at;
  }
  return text.npos;
}

}  // namespace recall
