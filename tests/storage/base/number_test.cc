#include "storage/base/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace recall {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

// In ascending order; the numbers of a row are equal.
const std::vector<std::vector<Number>>& Ordered() {
  static const std::vector<std::vector<Number>> rows = {
      {Number::Real(-std::numeric_limits<double>::infinity())},
      {Number::Real(-1e300)},
      {Number::Real(std::nextafter(-9223372036854775808.0, -1e300))},
      {Number::Integer(kMin), Number::Real(-9223372036854775808.0)},
      {Number::Integer(kMin + 1)},
      {Number::Integer(-9007199254740993)},
      {Number::Integer(-9007199254740992), Number::Real(-9007199254740992.0)},
      {Number::Real(-1.5)},
      {Number::Integer(-1), Number::Real(-1)},
      {Number::Real(-5e-324)},
      {Number::Integer(0), Number::Real(0), Number::Real(-0.0)},
      {Number::Real(5e-324)},
      {Number::Real(0.1)},
      {Number::Integer(1), Number::Real(1)},
      {Number::Real(1.5)},
      {Number::Integer(2)},
      {Number::Integer(9007199254740992), Number::Real(9007199254740992.0)},
      {Number::Integer(9007199254740993)},
      {Number::Integer(9007199254740994), Number::Real(9007199254740994.0)},
      {Number::Integer(kMax - 1)},
      {Number::Integer(kMax)},
      {Number::Real(9223372036854775808.0)},
      {Number::Real(std::numeric_limits<double>::infinity())},
  };
  return rows;
}

TEST(NumberTest, ComparesExactly) {
  const auto& rows = Ordered();
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t j = 0; j < rows.size(); ++j) {
      for (const Number& a : rows[i]) {
        for (const Number& b : rows[j]) {
          EXPECT_EQ(CompareNumbers(a, b), i <=> j) << "rows " << i << " and " << j;
        }
      }
    }
  }
}

TEST(NumberTest, ReadsJsonNumbers) {
  const struct {
    const char* text;
    Number number;
  } cases[] = {
      {"0", Number::Integer(0)},
      {"-0", Number::Integer(0)},
      {"7", Number::Integer(7)},
      {"-12", Number::Integer(-12)},
      {"9223372036854775807", Number::Integer(kMax)},
      {"-9223372036854775808", Number::Integer(kMin)},
      {"9223372036854775808", Number::Real(9223372036854775808.0)},
      {"1.0", Number::Real(1)},
      {"-1.25e2", Number::Real(-125)},
      {"1E+2", Number::Real(100)},
      {"0.1", Number::Real(0.1)},
      {"1e-400", Number::Real(0)},
      {"5e-324", Number::Real(5e-324)},
      {"1.7976931348623157e308", Number::Real(std::numeric_limits<double>::max())},
  };
  for (const auto& c : cases) {
    const auto number = ParseJsonNumber(c.text);
    ASSERT_TRUE(number) << c.text;
    EXPECT_EQ(number->is_integer, c.number.is_integer) << c.text;
    EXPECT_TRUE(CompareNumbers(*number, c.number) == 0) << c.text;
  }
}

TEST(NumberTest, RefusesWhatIsNoJsonNumber) {
  for (const char* text :
       {"",     "-",     "+1", "01", "-01", ".5",  "1.",    "1.e3",   "1e",    "1e+",
        "0x10", "1_000", " 1", "1 ", "inf", "NaN", "1e400", "-1e400", "1.2.3", "٣"}) {
    EXPECT_FALSE(ParseJsonNumber(text)) << text;
  }
}

}  // namespace
}  // namespace recall
