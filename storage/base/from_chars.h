#pragma once

#include <charconv>
#include <concepts>

namespace recall {

namespace internal {

// As std::from_chars, by std::strtod. Requires: `format` is fixed or general, and the locale of the
// process has a decimal point, as those of C and C.UTF-8, the only ones that the program sets.
std::from_chars_result DoubleByStrtod(const char* first, const char* last, double& value,
                                      std::chars_format format);

}  // namespace internal

// std::from_chars for all numbers. libc++ has it for whole ones alone, up to version 19.
template <std::integral Number>
std::from_chars_result FromChars(const char* first, const char* last, Number& value) {
  return std::from_chars(first, last, value);
}

template <std::same_as<double> Number>
std::from_chars_result FromChars(const char* first, const char* last, Number& value,
                                 std::chars_format format = std::chars_format::general) {
  if constexpr (requires { std::from_chars(first, last, value, format); }) {
    return std::from_chars(first, last, value, format);
  } else {
    return internal::DoubleByStrtod(first, last, value, format);
  }
}

}  // namespace recall
