#pragma once

// What strings of JSON (RFC 8259) look like in a text. Each reader decides how it treats a fault.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "storage/base/code_point.h"

namespace recall {

// Returns: the position of the quote that ends the string whose first character is at `at`; npos if
// there is none. The characters of the string are not checked. About the speed of memchr.
inline size_t FindJsonQuote(std::string_view text, size_t at) {
  for (size_t from = at; from < text.size();) {
    const void* const found = std::memchr(text.data() + from, '"', text.size() - from);
    if (found == nullptr) break;
    const auto quote = static_cast<size_t>(static_cast<const char*>(found) - text.data());
    size_t backslashes = 0;
    while (quote - backslashes > from && text[quote - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return quote;
    from = quote + 1;
  }
  return text.npos;
}

struct JsonEscape {
  uint32_t code_point = 0;  // a surrogate, if the other half of its pair is not there
  size_t bytes = 0;         // of the escape; of both escapes of a pair
};

// Returns: the code unit of the escape \uXXXX at `at`; nullopt if there is none.
inline std::optional<uint32_t> ReadJsonUnit(std::string_view text, size_t at) {
  if (text.size() < 6 || at > text.size() - 6 || text[at] != '\\' || text[at + 1] != 'u') {
    return std::nullopt;
  }
  uint32_t unit = 0;
  const char* const end = text.data() + at + 6;
  const auto [stop, error] = std::from_chars(text.data() + at + 2, end, unit, 16);
  return error == std::errc() && stop == end ? std::optional(unit) : std::nullopt;
}

// Decodes the escape whose backslash is at `at`, and the second escape of a surrogate pair.
// Returns: nullopt if JSON has no such escape.
inline std::optional<JsonEscape> ReadJsonEscape(std::string_view text, size_t at) {
  switch (at + 1 < text.size() ? text[at + 1] : '\0') {
    case '"':
    case '\\':
    case '/':
      return JsonEscape{static_cast<uint8_t>(text[at + 1]), 2};
    case 'b':
      return JsonEscape{'\b', 2};
    case 'f':
      return JsonEscape{'\f', 2};
    case 'n':
      return JsonEscape{'\n', 2};
    case 'r':
      return JsonEscape{'\r', 2};
    case 't':
      return JsonEscape{'\t', 2};
    default:
      break;
  }
  const std::optional<uint32_t> unit = ReadJsonUnit(text, at);
  if (!unit) return std::nullopt;
  if (*unit >= 0xD800 && *unit < 0xDC00) {
    const std::optional<uint32_t> low = ReadJsonUnit(text, at + 6);
    if (low && *low >= 0xDC00 && *low < 0xE000) {
      return JsonEscape{0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00), 12};
    }
  }
  return JsonEscape{*unit, 6};
}

}  // namespace recall
