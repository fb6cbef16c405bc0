#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace recall {

// A number of JSON or a query: an integer if it fits 64 bits, else a double.
struct Number {
  bool is_integer = true;
  int64_t integer = 0;  // if is_integer
  double real = 0;      // if !is_integer; not a NaN

  static Number Integer(int64_t value) { return {true, value, 0}; }
  static Number Real(double value) { return {false, 0, value}; }
};

// Compares by exact value: 9007199254740993 is above 9007199254740992.0, and 1 equals 1.0.
std::weak_ordering CompareNumbers(const Number& a, const Number& b);

// Parses all of `text` as a number in JSON's grammar (RFC 8259, section 6). Returns nothing if it
// is not one, or is beyond the range of doubles.
std::optional<Number> ParseJsonNumber(std::string_view text);

}  // namespace recall
