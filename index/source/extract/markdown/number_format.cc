#include "index/source/extract/markdown/number_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace recall {
namespace {

// Spreadsheets show the first 15 significant digits of a double, and round these in decimal: 1.005
// with two decimals is "1.01", although the double is a little less. So a number becomes its 15
// digits first, and everything else is done with the digits.

constexpr int kSignificant = 15;
constexpr double kMostSerial = 2958466;  // 10000-01-01
constexpr std::string_view kMonthNames[] = {"January",   "February", "March",    "April",
                                            "May",       "June",     "July",     "August",
                                            "September", "October",  "November", "December"};
constexpr std::string_view kWeekDayNames[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                              "Thursday", "Friday", "Saturday"};

// |value| = 0.DIGITS * 10^point; digits has no zeros at its ends, and is empty for zero.
struct Decimal {
  std::string digits;
  int point = 0;
};

Decimal DecimalOf(double value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof(text), std::fabs(value),
                                 std::chars_format::scientific, kSignificant - 1);
  const std::string_view all(text, static_cast<size_t>(end.ptr - text));
  const size_t e = all.find('e');
  Decimal decimal;
  for (const char c : all.substr(0, e)) {
    if (c != '.') decimal.digits += c;
  }
  const size_t sign = all[e + 1] == '+' ? 1 : 0;
  std::from_chars(all.data() + e + 1 + sign, all.data() + all.size(), decimal.point);
  ++decimal.point;
  while (!decimal.digits.empty() && decimal.digits.back() == '0') decimal.digits.pop_back();
  if (decimal.digits.empty()) decimal.point = 0;
  return decimal;
}

// Keeps `decimals` digits after the point; halves go away from zero.
void RoundDecimal(int decimals, Decimal* decimal) {
  const int keep = decimal->point + decimals;
  if (keep < 0) {
    *decimal = {};
    return;
  }
  if (static_cast<size_t>(keep) >= decimal->digits.size()) return;
  const bool up = decimal->digits[static_cast<size_t>(keep)] >= '5';
  decimal->digits.resize(static_cast<size_t>(keep));
  if (up) {
    while (!decimal->digits.empty() && decimal->digits.back() == '9') decimal->digits.pop_back();
    if (decimal->digits.empty()) {
      decimal->digits = "1";
      ++decimal->point;
    } else {
      ++decimal->digits.back();
    }
  }
  while (!decimal->digits.empty() && decimal->digits.back() == '0') decimal->digits.pop_back();
  if (decimal->digits.empty()) decimal->point = 0;
}

std::string IntegerDigits(const Decimal& decimal) {
  std::string digits;
  for (int i = 0; i < decimal.point; ++i) {
    const auto at = static_cast<size_t>(i);
    digits += at < decimal.digits.size() ? decimal.digits[at] : '0';
  }
  return digits;
}

std::string DecimalDigits(const Decimal& decimal) {
  if (decimal.digits.empty()) return {};
  if (decimal.point >= static_cast<int>(decimal.digits.size())) return {};
  if (decimal.point >= 0) return decimal.digits.substr(static_cast<size_t>(decimal.point));
  return std::string(static_cast<size_t>(-decimal.point), '0') + decimal.digits;
}

std::string Padded(int64_t value, size_t width) {
  std::string text = std::to_string(value);
  if (text.size() < width) text.insert(0, width - text.size(), '0');
  return text;
}

struct CivilDate {
  int64_t year, month, day, week_day;  // week_day: 0 is Sunday
};

// Howard Hinnant's civil_from_days: days since 1970-01-01.
CivilDate CivilOf(int64_t days) {
  const int64_t week_day = ((days % 7) + 11) % 7;
  days += 719468;
  const int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const int64_t of_era = days - era * 146097;
  const int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted = (5 * of_year + 2) / 153;
  const int64_t month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month,
          of_year - (153 * shifted + 2) / 5 + 1, week_day};
}

// The calendar date of day `serial`. Before March 1900 the numbers are those of a calendar with a
// 29 February 1900.
CivilDate DateOfDay(int64_t serial, bool from_1904) {
  constexpr int64_t kDaysTo1970 = 25569;
  constexpr int64_t kDaysTo1970From1904 = 24107;
  if (from_1904) return CivilOf(serial - kDaysTo1970From1904);
  if (serial == 60) return {1900, 2, 29, 3};
  if (serial == 0) return {1900, 1, 0, 6};
  return CivilOf(serial - kDaysTo1970 + (serial < 60 ? 1 : 0));
}

bool IsSerial(double value) { return value >= 0 && value < kMostSerial; }

std::string IsoDateOf(const CivilDate& date) {
  return Padded(date.year, 4) + "-" + Padded(date.month, 2) + "-" + Padded(date.day, 2);
}

char LowerLetter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool StartsWithLetters(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::ranges::equal(text.substr(0, lower.size()), lower,
                            [](char a, char b) { return LowerLetter(a) == b; });
}

// The sections of a code, divided by ";" outside of quotes, escapes and brackets.
std::vector<std::string_view> SectionsOf(std::string_view code) {
  std::vector<std::string_view> sections;
  size_t begin = 0;
  for (size_t i = 0; i <= code.size(); ++i) {
    if (i == code.size() || code[i] == ';') {
      sections.push_back(code.substr(begin, i - begin));
      begin = i + 1;
    } else if (code[i] == '\\') {
      ++i;
      if (i == code.size()) --i;
    } else if (code[i] == '"' || code[i] == '[') {
      const size_t close = code.find(code[i] == '"' ? '"' : ']', i + 1);
      if (close != code.npos) i = close;
    }
  }
  return sections;
}

}  // namespace

std::string PlainNumber(double value) {
  if (!std::isfinite(value)) return {};
  const Decimal decimal = DecimalOf(value);
  if (decimal.digits.empty()) return "0";
  std::string text = value < 0 ? "-" : "";
  const int exponent = decimal.point - 1;
  if (exponent >= kSignificant || exponent < -9) {
    text += decimal.digits[0];
    if (decimal.digits.size() > 1) text.append(".").append(decimal.digits.substr(1));
    text += exponent < 0 ? "E-" : "E+";
    return text + Padded(exponent < 0 ? -exponent : exponent, 2);
  }
  const std::string integer = IntegerDigits(decimal);
  text += integer.empty() ? "0" : integer;
  const std::string decimals = DecimalDigits(decimal);
  if (!decimals.empty()) text.append(".").append(decimals);
  return text;
}

std::optional<std::string> SerialDate(double serial, bool from_1904) {
  if (!IsSerial(serial)) return std::nullopt;
  constexpr int64_t kDaySeconds = 86400;
  const auto seconds = static_cast<int64_t>(std::round(serial * static_cast<double>(kDaySeconds)));
  const int64_t day = seconds / kDaySeconds;
  const int64_t rest = seconds % kDaySeconds;
  std::string text;
  if (day > 0 || from_1904) text = IsoDateOf(DateOfDay(day, from_1904));
  if (rest == 0 && !text.empty()) return text;
  if (!text.empty()) text += ' ';
  return text + Padded(rest / 3600, 2) + ":" + Padded(rest / 60 % 60, 2) + ":" +
         Padded(rest % 60, 2);
}

std::string_view NumberFormat::BuiltIn(int64_t id) {
  if ((id >= 27 && id <= 31) || id == 36 || (id >= 50 && id <= 54) || id == 57 || id == 58) {
    return "yyyy\\-mm\\-dd";
  }
  switch (id) {
    case 1:
      return "0";
    case 2:
      return "0.00";
    case 3:
      return "#,##0";
    case 4:
      return "#,##0.00";
    case 5:
    case 6:
      return "$#,##0;-$#,##0";
    case 7:
    case 8:
      return "$#,##0.00;-$#,##0.00";
    case 9:
      return "0%";
    case 10:
      return "0.00%";
    case 11:
      return "0.00E+00";
    case 14:
      return "yyyy\\-mm\\-dd";
    case 15:
      return "d\\-mmm\\-yy";
    case 16:
      return "d\\-mmm";
    case 17:
      return "mmm\\-yy";
    case 18:
      return "h:mm AM/PM";
    case 19:
      return "h:mm:ss AM/PM";
    case 20:
    case 32:
    case 55:
      return "h:mm";
    case 21:
    case 33:
    case 56:
      return "h:mm:ss";
    case 22:
      return "yyyy\\-mm\\-dd hh:mm";
    case 34:
      return "h:mm";
    case 35:
      return "h:mm:ss";
    case 37:
    case 38:
      return "#,##0;-#,##0";
    case 39:
    case 40:
      return "#,##0.00;-#,##0.00";
    case 41:
      return "#,##0;-#,##0;0";
    case 42:
      return "$#,##0;-$#,##0;$0";
    case 43:
      return "#,##0.00;-#,##0.00;0.00";
    case 44:
      return "$#,##0.00;-$#,##0.00;$0.00";
    case 45:
      return "mm:ss";
    case 46:
      return "[h]:mm:ss";
    case 47:
      return "mm:ss.0";
    case 48:
      return "##0.0E+0";
    default:
      return "General";
  }
}

NumberFormat::NumberFormat(std::string_view code) {
  // Codes have at most 255 characters in spreadsheets.
  for (const std::string_view section : SectionsOf(code.substr(0, 1024))) {
    sections_.push_back(Parse(section));
    if (sections_.size() == 3) break;
  }
}

bool NumberFormat::IsDate() const { return sections_.front().date; }

NumberFormat::Section NumberFormat::Parse(std::string_view code) {
  Section section;
  bool any_digit = false;
  bool decimals = false;
  bool broken = false;  // text between digits
  bool after_digits = false;
  int commas = 0;
  const auto literal = [&section](std::string_view text) {
    if (section.tokens.empty() || section.tokens.back().part != Part::kLiteral) {
      section.tokens.push_back({Part::kLiteral, 0, ""});
    }
    section.tokens.back().text += text;
  };
  const auto date = [&section](Part part, size_t length) {
    section.date = true;
    section.tokens.push_back({part, length, ""});
  };
  for (size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    const char lower = LowerLetter(c);
    const std::string_view rest = code.substr(i);
    size_t run = 1;
    while (i + run < code.size() && LowerLetter(code[i + run]) == lower) ++run;
    if (c != '0' && c != '#' && c != '?' && c != '.' && c != ',') after_digits = any_digit;
    if (c == '"') {
      const size_t close = std::min(code.find('"', i + 1), code.size());
      literal(code.substr(i + 1, close - i - 1));
      i = close;
    } else if (c == '\\') {
      // A character of several bytes is taken whole by what follows.
      if (i + 1 < code.size()) literal(code.substr(++i, 1));
    } else if (c == '_' || c == '*') {
      ++i;
      while (i + 1 < code.size() && (code[i + 1] & 0xc0) == 0x80) ++i;
      if (c == '_' && !section.tokens.empty()) literal(" ");
    } else if (c == '[') {
      const size_t close = std::min(code.find(']', i + 1), code.size());
      const std::string_view inside = code.substr(i + 1, close - i - 1);
      i = close;
      if (inside.empty()) continue;
      const char kind = LowerLetter(inside[0]);
      const bool elapsed =
          std::ranges::all_of(inside, [kind](char letter) { return LowerLetter(letter) == kind; });
      if (inside[0] == '$') {
        literal(inside.substr(1, std::min(inside.find('-', 1), inside.size()) - 1));
      } else if (elapsed && (kind == 'h' || kind == 'm' || kind == 's')) {
        date(kind == 'h'   ? Part::kAllHours
             : kind == 'm' ? Part::kAllMinutes
                           : Part::kAllSeconds,
             inside.size());
      } else if (kind == '<' || kind == '>' || kind == '=') {
        section.general = true;
      }
    } else if (StartsWithLetters(rest, "general")) {
      section.general = true;
      i += 6;
    } else if (StartsWithLetters(rest, "am/pm") || StartsWithLetters(rest, "a/p")) {
      i += StartsWithLetters(rest, "am/pm") ? 4 : 2;
      section.half_days = true;
      date(Part::kHalfDay, 1);
    } else if (lower == 'y' || lower == 'd' || lower == 'h' || lower == 's' || lower == 'm') {
      date(lower == 'y'   ? Part::kYear
           : lower == 'd' ? Part::kDay
           : lower == 'h' ? Part::kHour
           : lower == 's' ? Part::kSecond
                          : Part::kMonth,
           run);
      i += run - 1;
    } else if (section.date && c == '.' && i + 1 < code.size() && code[i + 1] == '0') {
      size_t zeros = 0;
      while (i + 1 + zeros < code.size() && code[i + 1 + zeros] == '0') ++zeros;
      date(Part::kFraction, std::min<size_t>(zeros, 3));
      i += zeros;
    } else if ((c == '0' || c == '#' || c == '?') && !section.date) {
      if (after_digits) broken = true;
      if (!any_digit) section.tokens.push_back({Part::kNumber, 0, ""});
      any_digit = true;
      if (commas > 0 && !decimals) section.grouped = true;
      commas = 0;
      if (decimals) {
        ++section.most_decimals;
        if (c == '0') section.least_decimals = section.most_decimals;
      } else if (c == '0') {
        ++section.least_integer;
      }
    } else if (c == '.' && !section.date && !decimals) {
      if (!any_digit) section.tokens.push_back({Part::kNumber, 0, ""});
      any_digit = true;
      decimals = true;
    } else if (c == ',' && any_digit && !after_digits) {
      ++commas;
    } else if (lower == 'e' && any_digit && !section.date && i + 1 < code.size() &&
               (code[i + 1] == '+' || code[i + 1] == '-')) {
      section.scientific = true;
      ++i;
      while (i + 1 < code.size() && (code[i + 1] == '0' || code[i + 1] == '#')) {
        if (section.exponent_digits < 9) ++section.exponent_digits;
        ++i;
      }
    } else if (c == '%') {
      section.shift += 2;
      literal("%");
    } else if (c == '/' && any_digit && !section.date) {
      section.general = true;  // a fraction
    } else if (c == '@') {
      section.general = true;
    } else {
      literal(code.substr(i, 1));
    }
  }
  section.shift -= 3 * commas;
  if (broken || (!any_digit && !section.date)) section.general = true;
  // More digits than a double has are zeros.
  section.least_integer = std::min(section.least_integer, 30);
  section.most_decimals = std::min(section.most_decimals, 30);
  section.least_decimals = std::min(section.least_decimals, 30);
  section.shift = std::clamp(section.shift, -300, 300);
  // "m" next to hours or seconds is minutes.
  const auto is_clock = [&section](size_t at) {
    const Part part = section.tokens[at].part;
    return part == Part::kHour || part == Part::kAllHours;
  };
  for (size_t i = 0; i < section.tokens.size(); ++i) {
    if (section.tokens[i].part != Part::kMonth || section.tokens[i].length > 2) continue;
    size_t before = i;
    while (before > 0 && section.tokens[before - 1].part == Part::kLiteral) --before;
    size_t after = i + 1;
    while (after < section.tokens.size() && section.tokens[after].part == Part::kLiteral) ++after;
    if ((before > 0 && is_clock(before - 1)) ||
        (after < section.tokens.size() && (section.tokens[after].part == Part::kSecond ||
                                           section.tokens[after].part == Part::kAllSeconds))) {
      section.tokens[i].part = Part::kMinute;
    }
  }
  return section;
}

std::string NumberFormat::DateText(const Section& section, double value, bool from_1904) {
  if (!IsSerial(value)) return PlainNumber(value);
  bool fractions = false;
  bool seconds_shown = false;
  for (const Token& token : section.tokens) {
    fractions = fractions || token.part == Part::kFraction;
    seconds_shown = seconds_shown || token.part == Part::kSecond;
  }
  constexpr int64_t kDayMillis = 86'400'000;
  auto millis = static_cast<int64_t>(std::round(value * static_cast<double>(kDayMillis)));
  if (!fractions) millis = (millis + 500) / 1000 * 1000;
  const int64_t day = millis / kDayMillis;
  const int64_t all_seconds = millis / 1000;
  const int64_t of_day = all_seconds % 86400;
  const CivilDate date = DateOfDay(day, from_1904);
  std::string text;
  for (const Token& token : section.tokens) {
    const size_t width = std::min<size_t>(token.length, 2);
    switch (token.part) {
      case Part::kLiteral:
        text += token.text;
        break;
      case Part::kYear:
        text += token.length <= 2 ? Padded(date.year % 100, 2) : Padded(date.year, 4);
        break;
      case Part::kMonth: {
        const std::string_view name = kMonthNames[date.month - 1];
        text += token.length <= 2   ? Padded(date.month, width)
                : token.length == 3 ? std::string(name.substr(0, 3))
                : token.length == 5 ? std::string(name.substr(0, 1))
                                    : std::string(name);
        break;
      }
      case Part::kDay: {
        const std::string_view name = kWeekDayNames[date.week_day];
        text += token.length <= 2   ? Padded(date.day, width)
                : token.length == 3 ? std::string(name.substr(0, 3))
                                    : std::string(name);
        break;
      }
      case Part::kHour: {
        int64_t hour = of_day / 3600;
        if (section.half_days) hour = (hour + 11) % 12 + 1;
        text += Padded(hour, width);
        break;
      }
      case Part::kMinute:
        text += Padded(of_day / 60 % 60, width);
        break;
      case Part::kSecond:
        text += Padded(of_day % 60, width);
        break;
      case Part::kFraction:
        text += "." + Padded(millis % 1000, 3).substr(0, token.length);
        break;
      case Part::kHalfDay:
        text += of_day < 43200 ? "AM" : "PM";
        break;
      case Part::kAllHours:
        text += Padded(all_seconds / 3600, width);
        break;
      case Part::kAllMinutes:
        text += Padded(all_seconds / 60, width);
        break;
      case Part::kAllSeconds:
        text += Padded(all_seconds, width);
        break;
      case Part::kNumber:
        break;
    }
  }
  return text;
}

std::string NumberFormat::NumberText(const Section& section, double value) {
  Decimal decimal = DecimalOf(value);
  if (!decimal.digits.empty()) decimal.point += section.shift;
  int exponent = 0;
  if (section.scientific) {
    const int digits = std::max(section.least_integer, 1);
    if (!decimal.digits.empty()) exponent = decimal.point - digits;
    decimal.point -= exponent;
    const int before = decimal.point;
    RoundDecimal(section.most_decimals, &decimal);
    if (decimal.point > before) {
      exponent += decimal.point - before;
      decimal.point = before;
    }
  } else {
    RoundDecimal(section.most_decimals, &decimal);
  }
  std::string digits = IntegerDigits(decimal);
  const auto least = static_cast<size_t>(section.least_integer);
  if (digits.size() < least) digits.insert(0, least - digits.size(), '0');
  if (section.grouped) {
    for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  }
  std::string decimals = DecimalDigits(decimal);
  const auto least_decimals = static_cast<size_t>(section.least_decimals);
  if (decimals.size() < least_decimals) decimals.append(least_decimals - decimals.size(), '0');
  if (!decimals.empty()) digits.append(".").append(decimals);
  if (section.scientific) {
    digits += exponent < 0 ? "E-" : "E+";
    digits += Padded(exponent < 0 ? -exponent : exponent,
                     static_cast<size_t>(std::max(section.exponent_digits, 1)));
  }
  if (digits.empty()) digits = "0";
  std::string text;
  for (const Token& token : section.tokens) {
    text += token.part == Part::kNumber ? digits : token.text;
  }
  return text;
}

std::string NumberFormat::Text(double value, bool from_1904) const {
  if (!std::isfinite(value)) return {};
  const size_t count = sections_.size();
  size_t at = 0;
  if (value < 0 && count > 1) at = 1;
  if (value == 0 && count > 2) at = 2;
  const Section& section = sections_[at];
  if (section.general) return PlainNumber(value);
  if (section.date) return DateText(section, value, from_1904);
  std::string text = NumberText(section, value);
  const bool some = text.find_first_of("123456789") != text.npos;
  if (value < 0 && at == 0 && some) text.insert(0, "-");
  return text;
}

}  // namespace recall
