#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

// Appends a number as LEB128: seven bits a byte, the lowest first, the highest bit set in all bytes
// but the last. ByteCursor::Number reads it.
inline void AppendLeb128(uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<char>(value | 0x80));
  out->push_back(static_cast<char>(value));
}

// Appends the size of a text as LEB128, and the text.
inline void AppendSizedText(std::string_view text, std::string* out) {
  AppendLeb128(text.size(), out);
  out->append(text);
}

}  // namespace recall
