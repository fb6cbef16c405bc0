#include "storage/base/from_chars.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

namespace recall::internal {
namespace {

const char* SkipDigits(const char* at, const char* last) {
  while (at != last && *at >= '0' && *at <= '9') ++at;
  return at;
}

// The end of "inf", "infinity", "nan" in letters of any case; `first` if there is none of these.
const char* SkipWord(const char* first, const char* last) {
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    if (static_cast<size_t>(last - first) < word.size()) continue;
    size_t same = 0;
    while (same < word.size() && (first[same] | 0x20) == word[same]) ++same;
    if (same == word.size()) return first + same;
  }
  return first;
}

// The end of the longest number; `first` if there is none.
const char* SkipNumber(const char* first, const char* last, bool with_exponent) {
  const char* const begin = first != last && *first == '-' ? first + 1 : first;
  const char* const whole = SkipDigits(begin, last);
  const char* end = whole;
  if (end != last && *end == '.') {
    end = SkipDigits(end + 1, last);
    if (whole == begin && end == whole + 1) return first;
  } else if (whole == begin) {
    const char* const word = SkipWord(begin, last);
    return word == begin ? first : word;
  }
  if (!with_exponent || end == last || (*end | 0x20) != 'e') return end;
  const char* exponent = end + 1;
  if (exponent != last && (*exponent == '+' || *exponent == '-')) ++exponent;
  const char* const behind = SkipDigits(exponent, last);
  return behind == exponent ? end : behind;
}

bool HasDigitButZero(std::string_view text) {
  for (const char c : text) {
    if ((c | 0x20) == 'e') return false;
    if (c >= '1' && c <= '9') return true;
  }
  return false;
}

}  // namespace

std::from_chars_result DoubleByStrtod(const char* first, const char* last, double& value,
                                      std::chars_format format) {
  const char* const end = SkipNumber(first, last, format == std::chars_format::general);
  if (end == first) return {first, std::errc::invalid_argument};
  const std::string text(first, end);
  const double number = std::strtod(text.c_str(), nullptr);
  // strtod has an infinity for numbers that are too large, and 0 for those that are too small.
  const bool is_word = std::isalpha(static_cast<unsigned char>(text.back())) != 0;
  if ((std::isinf(number) && !is_word) || (number == 0 && HasDigitButZero(text))) {
    return {end, std::errc::result_out_of_range};
  }
  value = number;
  return {end, std::errc()};
}

}  // namespace recall::internal
