#include "index/source/extract/markdown/number_format.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>

#include "storage/base/from_chars.h"

namespace recall {
namespace {

constexpr int kSignificant = 15;
constexpr double kLeastExponent = 1e15;  // numbers from here on are written with an exponent
constexpr double kMostSerial = 2958466;  // 10000-01-01

std::string Written(double value, std::chars_format format, int precision) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof(text), value, format, precision);
  return std::string(text, end.ptr);
}

std::string Padded(int64_t value, size_t width) {
  std::string text = std::to_string(value);
  if (text.size() < width) text.insert(0, width - text.size(), '0');
  return text;
}

void DropZeros(std::string* text, size_t least_decimals) {
  const size_t point = text->find('.');
  if (point == text->npos) return;
  while (text->size() > point + 1 + least_decimals && text->back() == '0') text->pop_back();
  if (text->back() == '.') text->pop_back();
}

}  // namespace

std::string PlainNumber(double value) {
  if (!std::isfinite(value)) return {};
  if (value == 0) return "0";
  const double magnitude = std::fabs(value);
  if (magnitude >= 1e-9 && magnitude < 1e-4) {  // "%g" would write an exponent
    int zeros = 4;  // behind the point; std::log10 differs between C libraries
    for (const double power : {1e-5, 1e-6, 1e-7, 1e-8}) zeros += magnitude < power;
    std::string text = Written(value, std::chars_format::fixed, kSignificant + zeros);
    DropZeros(&text, 0);
    return text;
  }
  std::string text = Written(value, std::chars_format::general, kSignificant);
  std::ranges::replace(text, 'e', 'E');
  return text;
}

std::string_view NumberFormat::BuiltIn(int64_t id) {
  constexpr std::string_view kPlain = "General", kDate = "yyyy-mm-dd", kTime = "hh:mm",
                             kFull = "hh:mm:ss", kBoth = "yyyy-mm-dd hh:mm", kWhole = "#,##0",
                             kCents = "#,##0.00", kPrice = "$#,##0", kExact = "$#,##0.00";
  // clang-format off
  constexpr std::string_view kCodes[] = {
      kPlain, "0",    "0.00",      kWhole, kCents, kPrice, kPrice, kExact, kExact, "0%",    // 0
      "0.00%", kPlain, kPlain,     kPlain, kDate,  kDate,  kDate,  kDate,  kTime,  kFull,   // 10
      kTime,  kFull,  kBoth,       kPlain, kPlain, kPlain, kPlain, kDate,  kDate,  kDate,   // 20
      kDate,  kDate,  kTime,       kFull,  kTime,  kFull,  kDate,  kWhole, kWhole, kCents,  // 30
      kCents, kWhole, kPrice,      kCents, kExact, kFull,  "[h]:mm:ss",  kFull,             // 40
      kPlain, kPlain, kDate,       kDate,  kDate,  kDate,  kDate,  kTime,  kFull,  kDate,   // 48
      kDate};
  // clang-format on
  return id >= 0 && id < std::ssize(kCodes) ? kCodes[id] : kPlain;
}

class NumberFormat::Parser final {
 public:
  Parser(std::string_view code, std::vector<Section>* sections) : code_(code), out_(sections) {
    Begin();
    while (at_ < code_.size()) Step(code_[at_++]);
    End();
  }

 private:
  void Begin() {
    out_->emplace_back();
    commas_ = 0;
    decimals_ = ended_ = false;
  }

  void End() {
    Section& section = out_->back();
    for (; commas_ > 0; --commas_) section.scale /= 1000;
    section.scale = std::clamp(section.scale, 1e-300, 1e300);
    section.most_decimals = std::min(section.most_decimals, kSignificant);
    section.least_decimals = std::min(section.least_decimals, kSignificant);
    section.least_integer = std::min(section.least_integer, 30);
    // "m" is minutes beside hours or seconds.
    if (section.month && !section.hours) section.date = true;
    if (!section.has_digits) section.plain = true;
  }

  void Step(char c) {
    Section& section = out_->back();
    if (c == ';') {
      End();
      Begin();
    } else if (c == '"') {
      Literal(Until('"'));
    } else if (c == '[') {
      Bracket(Until(']'));
    } else if (c == '\\') {
      Literal(code_.substr(std::min(at_++, code_.size()), 1));
    } else if (c == '_' || c == '*') {  // the width of a character, and a character that fills
      ++at_;
      while (at_ < code_.size() && (code_[at_] & 0xC0) == 0x80) ++at_;
      if (c == '_' && (section.has_digits || !section.prefix.empty())) Literal(" ");
    } else if (c == '0' || c == '#' || c == '?') {
      Digit(c);
    } else if (c == '.') {
      decimals_ = section.has_digits = true;
    } else if (c == ',') {
      ++commas_;
    } else if (c == '%') {
      section.scale *= 100;
      Literal("%");
    } else if (!Letter(static_cast<char>(c | 0x20))) {
      Literal(code_.substr(at_ - 1, 1));
    }
  }

  std::string_view Until(char close) {
    const size_t begin = at_;
    const size_t end = std::min(code_.find(close, begin), code_.size());
    at_ = end + 1;
    return code_.substr(begin, end - begin);
  }

  void Literal(std::string_view text) {
    Section& section = out_->back();
    ended_ = section.has_digits;
    (ended_ ? section.suffix : section.prefix) += text;
  }

  void Bracket(std::string_view inside) {
    if (inside.empty()) return;
    Section& section = out_->back();
    const char kind = inside[0];
    if (kind == '$') Literal(inside.substr(1, std::min(inside.find('-'), inside.size()) - 1));
    if (kind == '<' || kind == '>' || kind == '=') section.plain = true;
    if (inside.find_first_not_of("hHmMsS") != inside.npos) return;
    section.elapsed = section.hours = true;
    section.seconds = section.seconds || kind == 's' || kind == 'S';
  }

  void Digit(char c) {
    Section& section = out_->back();
    if (ended_) section.plain = true;
    section.has_digits = true;
    if (commas_ > 0) section.grouped = true;
    commas_ = 0;
    if (!decimals_) {
      section.least_integer += c == '0';
      return;
    }
    ++section.most_decimals;
    if (c == '0') section.least_decimals = section.most_decimals;
  }

  // Returns whether the letter is one of the code's language.
  bool Letter(char lower) {
    Section& section = out_->back();
    if (lower == 'y' || lower == 'd') section.date = true;
    if (lower == 'm') section.month = true;
    if (lower == 'h' || lower == 's') section.hours = true;
    if (lower == 's') section.seconds = true;
    const bool has_exponent =
        lower == 'e' && at_ < code_.size() && (code_[at_] == '+' || code_[at_] == '-');
    const bool says_general = lower == 'g' && at_ < code_.size() && (code_[at_] | 0x20) == 'e';
    const bool is_fraction = lower == '/' && section.has_digits;
    if (has_exponent || says_general || is_fraction) section.plain = true;
    return section.date || section.month || section.hours;
  }

  std::string_view code_;
  size_t at_ = 0;
  std::vector<Section>* out_;
  int commas_ = 0;         // since the last digit
  bool decimals_ = false;  // the point was read
  bool ended_ = false;     // literal text follows the digits
};

NumberFormat::NumberFormat(std::string_view code) { Parser(code.substr(0, 1024), &sections_); }

std::string NumberFormat::DateText(const Section& section, double value, bool from_1904) {
  const auto seconds = static_cast<int64_t>(std::round(value * 86400));
  std::string text;
  if (section.date) {
    // Spreadsheets count a 29 February 1900, so the days before it are one off.
    const int64_t day = seconds / 86400;
    const int64_t since_1970 = from_1904 ? day - 24107 : day - 25569 + (day < 60 ? 1 : 0);
    const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(since_1970))};
    text = Padded(static_cast<int>(date.year()), 4) + "-" +
           Padded(static_cast<unsigned>(date.month()), 2) + "-" +
           Padded(static_cast<unsigned>(date.day()), 2);
    if (!section.hours) return text;
    text += ' ';
  }
  const int64_t hours = seconds / 3600;
  text += Padded(section.elapsed ? hours : hours % 24, 2) + ":" + Padded(seconds / 60 % 60, 2);
  if (section.seconds) text += ":" + Padded(seconds % 60, 2);
  return text;
}

// Spreadsheets show the first 15 significant digits of a double and round these in decimal: 1.005
// with two decimals is "1.01", although the double is a little less. So `magnitude`, which has 15
// digits, is made larger by less than half a unit of the last one before it is rounded.
std::string NumberFormat::Digits(const Section& section, double magnitude) {
  int left = kSignificant;  // digits that the integer leaves to the decimals
  for (double rest = magnitude; rest >= 1; rest /= 10) --left;
  constexpr double kNudge = 1 + 2 * std::numeric_limits<double>::epsilon();
  std::string text = Written(magnitude * kNudge, std::chars_format::fixed,
                             std::min(section.most_decimals, std::max(left, 0)));
  DropZeros(&text, static_cast<size_t>(section.least_decimals));
  const size_t point = std::min(text.find('.'), text.size());
  const size_t decimals = text.size() - std::min(point + 1, text.size());
  const auto least_decimals = static_cast<size_t>(section.least_decimals);
  if (decimals < least_decimals) {
    if (point == text.size()) text += '.';
    text.append(least_decimals - decimals, '0');
  }
  const auto least = static_cast<size_t>(section.least_integer);
  if (point < least) text.insert(0, least - point, '0');
  if (section.grouped) {
    for (size_t at = std::max(point, least); at > 3; at -= 3) text.insert(at - 3, ",");
  }
  if (least == 0 && text.starts_with("0.")) text.erase(0, 1);
  return text;
}

std::string NumberFormat::Text(double value, bool from_1904) const {
  if (!std::isfinite(value)) return {};
  size_t at = value < 0 && sections_.size() > 1 ? 1 : 0;
  if (value == 0 && sections_.size() > 2) at = 2;
  const Section& section = sections_[at];
  if (section.date || section.hours) {
    const bool is_serial = value >= 0 && value < kMostSerial;
    return is_serial ? DateText(section, value, from_1904) : PlainNumber(value);
  }
  double magnitude = 0;
  const std::string rounded =
      Written(std::fabs(value), std::chars_format::scientific, kSignificant - 1);
  FromChars(rounded.data(), rounded.data() + rounded.size(), magnitude);
  magnitude *= section.scale;
  if (section.plain || magnitude >= kLeastExponent) return PlainNumber(value);
  const std::string digits = Digits(section, magnitude);
  const bool negative = value < 0 && at == 0 && digits.find_first_of("123456789") != digits.npos;
  return (negative ? "-" : "") + section.prefix + digits + section.suffix;
}

}  // namespace recall
