#include "storage/base/base64.h"

#include <array>
#include <cstdint>

namespace recall {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNoDigit = 0xFF;

constexpr std::array<uint8_t, 256> kValues = [] {
  std::array<uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (uint8_t i = 0; i < 64; ++i) values[static_cast<uint8_t>(kDigits[i])] = i;
  return values;
}();

uint32_t ValueOf(char digit) { return kValues[static_cast<uint8_t>(digit)]; }

// Decodes four digits. Returns false if one of them is not a base64 digit.
bool DecodeGroup(const char* digits, uint32_t* bits) {
  const uint32_t a = ValueOf(digits[0]);
  const uint32_t b = ValueOf(digits[1]);
  const uint32_t c = ValueOf(digits[2]);
  const uint32_t d = ValueOf(digits[3]);
  *bits = a << 18 | b << 12 | c << 6 | d;
  return (a | b | c | d) < 64;
}

}  // namespace

void AppendBase64(ByteSpan bytes, std::string* out) {
  size_t at = out->size();
  out->resize(at + (bytes.size() + 2) / 3 * 4);
  char* const to = out->data();
  const auto put = [&](uint32_t bits, int digits) {
    for (int i = 0; i < 4; ++i) {
      to[at++] = i < digits ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
    }
  };
  size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    put(uint32_t{bytes[i]} << 16 | uint32_t{bytes[i + 1]} << 8 | bytes[i + 2], 4);
  }
  const size_t left = bytes.size() - i;
  if (left == 1) put(uint32_t{bytes[i]} << 16, 2);
  if (left == 2) put(uint32_t{bytes[i]} << 16 | uint32_t{bytes[i + 1]} << 8, 3);
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string bytes(text.size() / 4 * 3, '\0');
  char* to = bytes.data();
  const size_t whole = text.size() - (padding > 0 ? 4 : 0);
  uint32_t bits = 0;
  for (size_t i = 0; i < whole; i += 4) {
    if (!DecodeGroup(text.data() + i, &bits)) return std::nullopt;
    *to++ = static_cast<char>(bits >> 16);
    *to++ = static_cast<char>(bits >> 8);
    *to++ = static_cast<char>(bits);
  }
  if (padding > 0) {
    char last[4] = {'A', 'A', 'A', 'A'};
    for (size_t i = 0; i < 4 - padding; ++i) last[i] = text[whole + i];
    if (!DecodeGroup(last, &bits)) return std::nullopt;
    if ((bits & (padding == 2 ? 0xFFFF : 0xFF)) != 0) return std::nullopt;
    *to++ = static_cast<char>(bits >> 16);
    if (padding == 1) *to++ = static_cast<char>(bits >> 8);
    bytes.resize(bytes.size() - padding);
  }
  return bytes;
}

}  // namespace recall
