#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Formats a number with at most 15 significant digits, as spreadsheets hold them: "0.1", "-12.5",
// "1E+20". Returns "" for NaN and infinity.
std::string PlainNumber(double value);

// Formats the numbers of cells for readers and for search, by the part of the format codes of
// spreadsheets (ECMA-376 part 1, 18.8.31) that changes what a number says: decimals, thousands,
// leading zeros, percent, scaling by trailing commas, literal text, currency symbols, and formats
// of their own for negative numbers and zero. Dates and times are ISO 8601 in whatever order the
// code asks for. PlainNumber formats everything else: exponents, fractions, conditions, digits with
// text between them, numbers of 10^15 and more, and dates before 1900 or after 9999. Immutable.
class NumberFormat final {
 public:
  // Accepts any text as a code; reads its first 1,024 bytes.
  explicit NumberFormat(std::string_view code);

  // Returns the code of a built-in format (ECMA-376 part 1, 18.8.30); "General" for other numbers.
  static std::string_view BuiltIn(int64_t id);

  // `from_1904`: dates count days from 1904-01-01 instead of from the end of 1899.
  std::string Text(double value, bool from_1904 = false) const;

 private:
  struct Section {
    std::string prefix, suffix;  // literal text before and after the digits
    bool plain = false;          // PlainNumber formats the value
    bool has_digits = false;
    bool grouped = false;
    bool date = false;     // the code shows a year or a day
    bool month = false;    // or minutes: the letter is the same
    bool hours = false;    // or minutes or seconds with a clock
    bool elapsed = false;  // hours are not reduced to a day
    bool seconds = false;
    int least_integer = 0;  // digits
    int least_decimals = 0;
    int most_decimals = 0;
    double scale = 1;  // 100 for "%", 1/1000 for each trailing ","
  };
  class Parser;

  static std::string DateText(const Section& section, double value, bool from_1904);
  static std::string Digits(const Section& section, double magnitude);

  std::vector<Section> sections_;  // for positive numbers (or all), negative numbers, zero
};

}  // namespace recall
