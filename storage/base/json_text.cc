#include "storage/base/json_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace recall {
namespace {

// For each byte: 0 if it is copied unchanged, 'u' for \u00XX, else the letter after the backslash.
constexpr std::array<char, 256> kEscapes = [] {
  std::array<char, 256> escapes{};
  for (size_t c = 0; c < 0x20; ++c) escapes[c] = 'u';
  escapes['\b'] = 'b';
  escapes['\f'] = 'f';
  escapes['\n'] = 'n';
  escapes['\r'] = 'r';
  escapes['\t'] = 't';
  escapes['"'] = '"';
  escapes['\\'] = '\\';
  return escapes;
}();

}  // namespace

void AppendJsonString(std::string_view text, std::string* out) {
  constexpr char kHex[] = "0123456789abcdef";
  out->push_back('"');
  size_t copied = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    const char escape = kEscapes[byte];
    if (escape == 0) continue;
    out->append(text, copied, i - copied);
    copied = i + 1;
    out->push_back('\\');
    out->push_back(escape);
    if (escape == 'u') {
      *out += "00";
      out->push_back(kHex[byte >> 4]);
      out->push_back(kHex[byte & 15]);
    }
  }
  out->append(text, copied, text.size() - copied);
  out->push_back('"');
}

void AppendJsonNumber(double value, std::string* out) {
  if (!std::isfinite(value)) {
    *out += "null";
    return;
  }
  char buffer[32];
  const char* const end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  const std::string_view text(buffer, static_cast<size_t>(end - buffer));
  *out += text;
  if (text.find_first_of(".e") == text.npos) *out += ".0";
}

}  // namespace recall
