#include "index/source/extract/odf/odf_value.h"

#include <algorithm>
#include <string_view>

#include "index/source/extract/odf/odf_names.h"

namespace recall {
namespace {

bool IsOdfDigit(char c) { return c >= '0' && c <= '9'; }

// "0.125" -> "12.5%". Other forms of a number stay as they are.
std::string OdfPercentOf(std::string_view value) {
  std::string sign;
  if (value.starts_with('-')) {
    sign = "-";
    value.remove_prefix(1);
  }
  const size_t point = value.find('.');
  std::string whole(value.substr(0, point));
  std::string fraction(point == value.npos ? std::string_view() : value.substr(point + 1));
  for (const char c : whole + fraction) {
    if (!IsOdfDigit(c)) return sign + std::string(value);
  }
  if (whole.empty() && fraction.empty()) return "";
  fraction.append(fraction.size() < 2 ? 2 - fraction.size() : 0, '0');
  whole += fraction.substr(0, 2);
  fraction.erase(0, 2);
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size() - 1));
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return sign + whole + (fraction.empty() ? "" : "." + fraction) + "%";
}

// "PT13H05M00S" -> "13:05:00". Other durations stay as they are.
std::string OdfTimeOf(std::string_view value) {
  if (!value.starts_with("PT")) return std::string(value);
  std::string_view rest = value.substr(2);
  std::string parts[3] = {"00", "00", "00"};
  constexpr std::string_view kUnits = "HMS";
  size_t unit = 0;
  while (!rest.empty()) {
    size_t digits = 0;
    while (digits < rest.size() && IsOdfDigit(rest[digits])) ++digits;
    std::string number(rest.substr(0, digits));
    rest.remove_prefix(digits);
    if (rest.starts_with('.') || rest.starts_with(',')) {  // parts of a second
      rest.remove_prefix(1);
      while (!rest.empty() && IsOdfDigit(rest.front())) rest.remove_prefix(1);
    }
    const size_t place = rest.empty() ? kUnits.npos : kUnits.find(rest.front(), unit);
    if (place == kUnits.npos || number.empty()) return std::string(value);
    rest.remove_prefix(1);
    unit = place + 1;
    parts[place] = number.size() == 1 ? "0" + number : number;
  }
  return parts[0] + ":" + parts[1] + ":" + parts[2];
}

}  // namespace

std::string OdfShownValue(std::span<const XmlAttribute> attributes) {
  const std::string_view type = OdfAttribute(attributes, "office:value-type");
  const std::string_view value = OdfAttribute(attributes, "office:value");
  if (type == "float") return std::string(value);
  if (type == "percentage") return OdfPercentOf(value);
  if (type == "currency") {
    const std::string_view currency = OdfAttribute(attributes, "office:currency");
    return std::string(value) + (currency.empty() ? "" : " ") + std::string(currency);
  }
  if (type == "date") {
    std::string_view date = OdfAttribute(attributes, "office:date-value");
    if (date.ends_with("T00:00:00")) date.remove_suffix(9);
    return std::string(date);
  }
  if (type == "time") return OdfTimeOf(OdfAttribute(attributes, "office:time-value"));
  if (type == "boolean") {
    const std::string_view boolean = OdfAttribute(attributes, "office:boolean-value");
    return boolean == "true" ? "TRUE" : boolean == "false" ? "FALSE" : "";
  }
  if (type == "string") return std::string(OdfAttribute(attributes, "office:string-value"));
  return "";
}

}  // namespace recall
