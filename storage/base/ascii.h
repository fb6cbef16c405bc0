#pragma once

// Classes of ASCII characters, for bytes and for code points. They do not depend on the locale, and
// no byte beyond ASCII is in any of them.

namespace recall {

template <typename Character>
constexpr bool IsAsciiDigit(Character c) {
  return c >= '0' && c <= '9';
}
template <typename Character>
constexpr bool IsAsciiLower(Character c) {
  return c >= 'a' && c <= 'z';
}
template <typename Character>
constexpr bool IsAsciiUpper(Character c) {
  return c >= 'A' && c <= 'Z';
}
template <typename Character>
constexpr bool IsAsciiLetter(Character c) {
  return IsAsciiLower(c) || IsAsciiUpper(c);
}
template <typename Character>
constexpr bool IsAsciiAlnum(Character c) {
  return IsAsciiLetter(c) || IsAsciiDigit(c);
}
template <typename Character>
constexpr Character ToAsciiLower(Character c) {
  return IsAsciiUpper(c) ? static_cast<Character>(c | 0x20) : c;
}

}  // namespace recall
