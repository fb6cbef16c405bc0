#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "index/base/text/ascii_swar.h"
#include "index/base/text/utf8.h"

namespace recall {

// The class of a byte, so that most bytes cost one table look-up: text, ASCII white space, or one
// of the four bytes with which Unicode's other white space starts.
enum class ByteKind : uint8_t { kText, kSpace, kMaybeSpace };

inline constexpr std::array<ByteKind, 256> kByteKinds = [] {
  std::array<ByteKind, 256> kinds{};
  for (const int space : {'\t', '\n', '\v', '\f', '\r', ' '}) kinds[space] = ByteKind::kSpace;
  for (const int lead : {0xC2, 0xE1, 0xE2, 0xE3}) kinds[lead] = ByteKind::kMaybeSpace;
  return kinds;
}();

// The size of the white-space character at `position`; 0 if there is none.
inline size_t WhiteSpaceLength(std::string_view text, size_t position) {
  switch (kByteKinds[static_cast<uint8_t>(text[position])]) {
    case ByteKind::kText:
      return 0;
    case ByteKind::kSpace:
      return 1;
    case ByteKind::kMaybeSpace:
      break;
  }
  size_t next = position;
  return IsWhiteSpace(DecodeUtf8(text, &next)) ? next - position : 0;
}

// The end of the white-space token that contains `position`.
inline size_t FindTokenEnd(std::string_view text, size_t position) {
  for (AsciiEight eight; eight.Load(text, position); position += AsciiEight::kBytes) {
    const uint64_t space = eight.WhiteSpace();
    if (space != 0) return position + AsciiEight::FirstOf(space);
  }
  while (position < text.size() && WhiteSpaceLength(text, position) == 0) ++position;
  return position;
}

// The first position at or after `position` that is not white space.
inline size_t SkipWhiteSpace(std::string_view text, size_t position) {
  while (position < text.size()) {
    const size_t length = WhiteSpaceLength(text, position);
    if (length == 0) break;
    position += length;
  }
  return position;
}

}  // namespace recall
