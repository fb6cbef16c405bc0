#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace recall {

// Begins the text that replaces a secret: "[redacted: KIND]".
inline constexpr std::string_view kSecretMarker = "[redacted: ";

// Returns whether text[at] is within "[redacted: KIND]", which is in one line. Looks at 80 bytes
// before it.
inline bool IsInSecretMarker(std::string_view text, size_t at) {
  constexpr size_t kMostMarkerBytes = 80;
  const size_t from = at - std::min(at, kMostMarkerBytes);
  const std::string_view before = text.substr(from, at - from);
  const size_t marker = before.rfind(kSecretMarker);
  return marker != before.npos && before.find_first_of("]\n", marker) == before.npos;
}

}  // namespace recall
