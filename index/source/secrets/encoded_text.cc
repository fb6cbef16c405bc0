// Finds the parts of a text that are encoded.
//
// Problem. A key in base64, or with a letter as \u0041, is still a key, and no rule for keys
// recognises it. Decoding all of a text in every way would take longer than looking for secrets.
//
// Idea. A run of base64 or hexadecimal digits that is long enough contains one of each 24 bytes, so
// only these are looked at. The first bytes of a run are decoded; only if they are text, all of it
// is. Consecutive lines of base64 are one run. Escapes are decoded together with some text around
// them, because what precedes a value may be its name.
//
// Invariants. A byte belongs to at most one run. Parts with escapes are at most 1 MiB and some, and
// may overlap the part before at their beginning, but not more than that.
//
// Cost: linear; one byte in 24 where nothing is encoded, and a search for % and \.

#include "index/source/secrets/encoded_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "index/source/secrets/secret_text.h"

namespace recall {
namespace {

constexpr size_t kLeastEncoded = 24;
constexpr size_t kLeastEncodedLine = 56;  // characters of a line that another line continues
constexpr size_t kEncodedHead = 16;       // characters that are decoded first
constexpr size_t kBeforeEscape = 256;
constexpr size_t kAfterEscape = 2048;
constexpr size_t kMostPart = size_t{1} << 20;  // a decoded byte takes nine

constexpr std::array<int8_t, 256> MakeBase64Values() {
  std::array<int8_t, 256> values = {};
  values.fill(-1);
  for (int i = 0; i < 26; ++i) {
    values[static_cast<size_t>('A' + i)] = static_cast<int8_t>(i);
    values[static_cast<size_t>('a' + i)] = static_cast<int8_t>(26 + i);
  }
  for (int i = 0; i < 10; ++i) values[static_cast<size_t>('0' + i)] = static_cast<int8_t>(52 + i);
  values['+'] = values['-'] = 62;
  values['/'] = values['_'] = 63;
  return values;
}
constexpr std::array<int8_t, 256> kBase64Values = MakeBase64Values();

int Base64Value(char c) { return kBase64Values[static_cast<uint8_t>(c)]; }

bool IsText(char c) {
  return (static_cast<uint8_t>(c) >= 0x20 && static_cast<uint8_t>(c) < 0x7F) || c == '\n' ||
         c == '\r' || c == '\t';
}

// Decodes base64 up to the first byte that is not ASCII text.
std::string TextInBase64(std::string_view base64) {
  std::string text;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : base64) {
    const int value = Base64Value(c);
    if (value < 0) continue;  // the end of a line
    bits = bits << 6 | static_cast<uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    const char byte = static_cast<char>(bits >> count & 0xFF);
    if (!IsText(byte)) break;
    text += byte;
  }
  return text;
}

std::optional<char> HexByte(std::string_view digits) {
  if (digits.size() < 2 || !IsSecretHex(digits[0]) || !IsSecretHex(digits[1])) return std::nullopt;
  const auto value = [](char c) {
    return IsSecretDigit(c) ? c - '0' : (SecretLowered(c) - 'a') + 10;
  };
  const char byte = static_cast<char>(value(digits[0]) << 4 | value(digits[1]));
  return IsText(byte) ? std::optional(byte) : std::nullopt;
}

// Decodes hexadecimal digits up to the first byte that is not ASCII text.
std::string TextInHex(std::string_view hex) {
  std::string text;
  for (; hex.size() >= 2; hex.remove_prefix(2)) {
    const auto byte = HexByte(hex);
    if (!byte) break;
    text += *byte;
  }
  return text;
}

// Returns where the next line of base64 begins after one that ends at `end`; npos if there is none.
size_t NextLine(std::string_view text, size_t end) {
  const size_t next = text.find_first_not_of(" \t\r\n", end);
  if (next == text.npos || Base64Value(text[next]) < 0) return text.npos;
  const std::string_view between = text.substr(end, next - end);
  return std::count(between.begin(), between.end(), '\n') == 1 ? next : text.npos;
}

size_t RunEnd(std::string_view text, size_t begin) {
  size_t end = begin;
  for (size_t line = begin;;) {
    while (end < text.size() && Base64Value(text[end]) >= 0) ++end;
    if (end - line < kLeastEncodedLine) return end;
    const size_t next = NextLine(text, end);
    if (next == text.npos) return end;
    line = end = next;
  }
}

void ForEachEncoded(std::string_view text, const std::function<void(const DecodedPart&)>& visit) {
  size_t done = 0;
  for (size_t at = kLeastEncoded - 1; at < text.size(); at += kLeastEncoded) {
    if (Base64Value(text[at]) < 0) continue;
    size_t begin = at;
    while (begin > done && Base64Value(text[begin - 1]) >= 0) --begin;
    if (begin > 0 && text[begin - 1] == '\\') ++begin;  // `\n` before it
    const size_t end = RunEnd(text, begin);
    at = done = end;
    if (end - begin < kLeastEncoded) continue;
    const std::string_view run = text.substr(begin, end - begin);
    const std::string_view head = run.substr(0, kEncodedHead);
    if (TextInBase64(head).size() == kEncodedHead / 4 * 3) {
      visit({TextInBase64(run), begin, end, {}});
    } else if (TextInHex(head).size() == kEncodedHead / 2) {
      visit({TextInHex(run), begin, end, {}});
    }
  }
}

constexpr char kEscape = '\x1b';

struct EscapedByte {
  std::optional<char> byte;  // nothing: it sets a colour
  size_t end;
};

// The rest of a sequence that sets colours (SGR) or clears the line, behind its escape character.
std::optional<EscapedByte> ColourAt(std::string_view text, size_t at) {
  constexpr size_t kMostParameters = 24;
  if (at >= text.size() || text[at] != '[') return std::nullopt;
  const size_t end = text.substr(at + 1, kMostParameters).find_first_not_of("0123456789;:");
  if (end == text.npos || (text[at + 1 + end] != 'm' && text[at + 1 + end] != 'K')) {
    return std::nullopt;
  }
  return EscapedByte{std::nullopt, at + 1 + end + 1};
}

std::optional<EscapedByte> EscapeAt(std::string_view text, size_t at) {
  if (text[at] == kEscape) return ColourAt(text, at + 1);
  if (text[at] == '%') {
    const auto byte = HexByte(text.substr(at + 1, 2));
    return byte ? std::optional(EscapedByte{*byte, at + 3}) : std::nullopt;
  }
  if (text[at] != '\\') return std::nullopt;
  const size_t mark = text.find_first_not_of('\\', at);  // escapes within escapes have several
  if (mark == text.npos) return std::nullopt;
  if (text[mark] == '/') return EscapedByte{'/', mark + 1};
  for (const std::string_view escape : {"u001b", "u001B", "x1b", "x1B", "033", "e["}) {
    if (!text.substr(mark).starts_with(escape)) continue;
    return ColourAt(text, mark + escape.size() - (escape == "e[" ? 1 : 0));
  }
  const bool is_unicode = text[mark] == 'u' && text.substr(mark + 1, 2) == "00";
  if (!is_unicode && text[mark] != 'x') return std::nullopt;
  const size_t digits = mark + (is_unicode ? 3 : 1);
  const auto byte = HexByte(text.substr(digits, 2));
  return byte ? std::optional(EscapedByte{*byte, digits + 2}) : std::nullopt;
}

// Returns where the next escape begins; text.size() if there is none.
size_t NextEscape(std::string_view text, size_t at) {
  for (; at < text.size(); ++at) {
    if (text[at] != '%' && text[at] != '\\' && text[at] != kEscape) continue;
    if (EscapeAt(text, at)) return at;
    if (text[at] == '\\') at = std::min(text.find_first_not_of('\\', at), text.size()) - 1;
  }
  return text.size();
}

DecodedPart Unescaped(std::string_view text, size_t begin, size_t end) {
  DecodedPart part{{}, begin, end, {}};
  for (size_t at = begin; at < end;) {
    if (const auto escape = EscapeAt(text, at)) {
      if (escape->byte) {
        part.places.push_back(at);
        part.text += *escape->byte;
      }
      at = escape->end;
      continue;
    }
    // Behind the first of several backslashes there is no escape either.
    const size_t next = text[at] == '\\' ? std::min(text.find_first_not_of('\\', at), end) : at + 1;
    for (; at < next; ++at) {
      part.places.push_back(at);
      part.text += text[at];
    }
  }
  part.places.push_back(part.places.empty() ? end : std::max(end, part.places.back() + 1));
  return part;
}

void ForEachEscaped(std::string_view text, const std::function<void(const DecodedPart&)>& visit) {
  for (size_t next = NextEscape(text, 0); next < text.size();) {
    const size_t begin = next - std::min(next, kBeforeEscape);
    size_t end = next;
    while (next < text.size() && next <= end + kBeforeEscape && next < begin + kMostPart) {
      end = std::min(text.size(), EscapeAt(text, next)->end + kAfterEscape);
      next = NextEscape(text, EscapeAt(text, next)->end);
    }
    visit(Unescaped(text, begin, std::min(end, next)));
  }
}

}  // namespace

std::pair<size_t, size_t> DecodedPart::Written(size_t from, size_t to) const {
  return places.empty() ? std::pair(begin, end) : std::pair(places[from], places[to]);
}

void ForEachDecodedPart(std::string_view text,
                        const std::function<void(const DecodedPart&)>& visit) {
  ForEachEncoded(text, visit);
  ForEachEscaped(text, visit);
}

}  // namespace recall
