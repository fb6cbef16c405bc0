#pragma once

#include <algorithm>
#include <string_view>

namespace recall {

// Returns `text` without white space (ASCII, or the given characters) at its ends.
inline std::string_view Trim(std::string_view text, std::string_view blanks = " \t\r\n\v\f") {
  const size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

// Removes the part of `text` before the next `separator`, and the separator. Returns: the part
// without white space at its ends.
inline std::string_view TakeUntil(char separator, std::string_view& text) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return Trim(part);
}

}  // namespace recall
