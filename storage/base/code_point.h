#pragma once

#include <cstdint>
#include <string>

namespace recall {

// Whether it is half of a pair of UTF-16, which is no character.
constexpr bool IsSurrogate(uint32_t code_point) {
  return code_point >= 0xD800 && code_point < 0xE000;
}

// Appends the UTF-8 form of a code point <= U+10FFFF.
inline void AppendUtf8(uint32_t code_point, std::string* out) {
  const auto append = [out](uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    append(code_point);
    return;
  }
  if (code_point < 0x800) {
    append(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    append(0xE0 | code_point >> 12);
    append(0x80 | (code_point >> 6 & 0x3F));
  } else {
    append(0xF0 | code_point >> 18);
    append(0x80 | (code_point >> 12 & 0x3F));
    append(0x80 | (code_point >> 6 & 0x3F));
  }
  append(0x80 | (code_point & 0x3F));
}

}  // namespace recall
