#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace recall {

// FTS5's `ascii` tokenizer: tokens are what letters, digits and bytes >= 0x80 stand side by side;
// everything else separates them.
inline bool IsFtsTokenByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z');
}

// A token as the index has it.
inline std::string FoldFtsToken(std::string_view token) {
  std::string folded(token);
  for (char& c : folded) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return folded;
}

}  // namespace recall
