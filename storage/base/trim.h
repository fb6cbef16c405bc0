#pragma once

#include <string_view>

namespace recall {

// Returns `text` without white space (ASCII, or the given characters) at its ends.
inline std::string_view Trim(std::string_view text, std::string_view blanks = " \t\r\n\v\f") {
  const size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

}  // namespace recall
