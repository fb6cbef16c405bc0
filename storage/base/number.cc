#include "storage/base/number.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include "storage/base/from_chars.h"

namespace recall {
namespace {

std::weak_ordering CompareDoubles(double a, double b) {
  if (a < b) return std::weak_ordering::less;
  return a > b ? std::weak_ordering::greater : std::weak_ordering::equivalent;
}

std::weak_ordering CompareIntegerWithDouble(int64_t integer, double real) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (real >= kTwoTo63) return std::weak_ordering::less;
  if (real < -kTwoTo63) return std::weak_ordering::greater;
  const double whole = std::trunc(real);
  const auto whole_integer = static_cast<int64_t>(whole);
  if (integer != whole_integer) {
    return integer < whole_integer ? std::weak_ordering::less : std::weak_ordering::greater;
  }
  return CompareDoubles(whole, real);
}

std::weak_ordering Reversed(std::weak_ordering order) { return 0 <=> order; }

// The number of decimal digits at the start of `text`.
size_t CountDigits(std::string_view text) {
  const size_t end = text.find_first_not_of("0123456789");
  return end == std::string_view::npos ? text.size() : end;
}

// -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
bool IsJsonNumber(std::string_view text, bool* is_integer) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const size_t whole = CountDigits(text);
  if (whole == 0 || (whole > 1 && text[0] == '0')) return false;
  text.remove_prefix(whole);
  *is_integer = text.empty();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const size_t fraction = CountDigits(text);
    if (fraction == 0) return false;
    text.remove_prefix(fraction);
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    const size_t exponent = CountDigits(text);
    if (exponent == 0) return false;
    text.remove_prefix(exponent);
  }
  return text.empty();
}

}  // namespace

std::weak_ordering CompareNumbers(const Number& a, const Number& b) {
  if (a.is_integer && b.is_integer) return a.integer <=> b.integer;
  if (a.is_integer) return CompareIntegerWithDouble(a.integer, b.real);
  if (b.is_integer) return Reversed(CompareIntegerWithDouble(b.integer, a.real));
  return CompareDoubles(a.real, b.real);
}

std::optional<Number> ParseJsonNumber(std::string_view text) {
  bool is_integer = false;
  if (!IsJsonNumber(text, &is_integer)) return std::nullopt;
  const char* const end = text.data() + text.size();
  int64_t integer = 0;
  if (is_integer && FromChars(text.data(), end, integer).ec == std::errc()) {
    return Number::Integer(integer);
  }
  double real = 0;
  // Both underflow and overflow are out of range for from_chars. strtod returns a number near 0 for
  // the one and an infinity, which is refused below, for the other.
  if (FromChars(text.data(), end, real).ec == std::errc::result_out_of_range) {
    real = std::strtod(std::string(text).c_str(), nullptr);
  }
  if (!std::isfinite(real)) return std::nullopt;
  return Number::Real(real);
}

}  // namespace recall
