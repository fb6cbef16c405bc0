#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A number with at most 15 significant digits, as spreadsheets hold them: "0.1", "-12.5", "1E+20",
// "1.5E-07". NaN and infinity give "".
std::string PlainNumber(double value);

// The date and time of a serial number: days since the end of 1899 in the calendar of spreadsheets,
// which has a 29 February 1900, or since 1904-01-01. "2024-03-05", "2024-03-05 14:30:00" if it is
// not midnight, "14:30:00" below one day. Nothing for numbers that are no date up to the year 9999.
std::optional<std::string> SerialDate(double serial, bool from_1904);

// How a spreadsheet shows numbers: a format code (ECMA-376 part 1, 18.8.31), such as "0.0%" or
// "#,##0.00;[Red]-#,##0.00". Names of months and days are English. What is not shown as a
// spreadsheet does: fractions, conditions, digits with text between them, and formats that show
// nothing give PlainNumber; "*" does not fill; "_" and "?" give no blanks.
class NumberFormat final {
 public:
  // Any text is a format.
  explicit NumberFormat(std::string_view code);

  // The format with a number of ECMA-376 part 1, 18.8.30. Dates in the order of the reader's locale
  // (14, 22) are ISO 8601. Numbers that are not in the list are "General".
  static std::string_view BuiltIn(int64_t id);

  std::string Text(double value, bool from_1904 = false) const;

  bool IsDate() const;  // whether numbers are shown as dates or times

 private:
  enum class Part : uint8_t {
    kLiteral,
    kNumber,  // the place of the digits
    kYear,
    kMonth,
    kDay,
    kHour,
    kMinute,
    kSecond,
    kFraction,  // of a second, with the point before it
    kHalfDay,   // AM or PM
    kAllHours,  // elapsed
    kAllMinutes,
    kAllSeconds,
  };
  struct Token {
    Part part;
    size_t length = 0;  // letters, or digits of a fraction
    std::string text;   // a literal
  };
  struct Section {
    bool general = false;
    bool date = false;
    bool grouped = false;
    bool scientific = false;
    bool half_days = false;
    int least_integer = 0;  // digits
    int least_decimals = 0;
    int most_decimals = 0;
    int exponent_digits = 0;
    int shift = 0;  // powers of ten: 2 for "%", -3 for each "," at the end
    std::vector<Token> tokens;
  };

  static Section Parse(std::string_view code);
  static std::string DateText(const Section& section, double value, bool from_1904);
  static std::string NumberText(const Section& section, double value);

  std::vector<Section> sections_;
};

}  // namespace recall
