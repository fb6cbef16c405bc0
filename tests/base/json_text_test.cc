#include "storage/base/json_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>
#include <random>

#include "tests/test_util.h"

namespace recall {
namespace {

std::string JsonString(std::string_view text) {
  std::string json;
  AppendJsonString(text, &json);
  return json;
}

std::string JsonNumber(double value) {
  std::string json;
  AppendJsonNumber(value, &json);
  return json;
}

TEST(JsonTextTest, EscapesWhatJsonDemandsAndNothingElse) {
  EXPECT_EQ(JsonString(""), R"("")");
  EXPECT_EQ(JsonString("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(JsonString("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(JsonString(std::string_view("\0\x01\x1F\x7F", 4)), "\"\\u0000\\u0001\\u001f\x7F\"");
  EXPECT_EQ(JsonString("caf\xC3\xA9 \xE2\x80\xA8"), "\"caf\xC3\xA9 \xE2\x80\xA8\"");
}

TEST(JsonTextTest, NumbersAreTheShortestThatReadBack) {
  EXPECT_EQ(JsonNumber(0.1), "0.1");
  EXPECT_EQ(JsonNumber(1), "1.0");
  EXPECT_EQ(JsonNumber(-0.0), "-0.0");
  EXPECT_EQ(JsonNumber(1e20), "1e+20");
  EXPECT_EQ(JsonNumber(5e-324), "5e-324");
  EXPECT_EQ(JsonNumber(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(JsonNumber(std::numeric_limits<double>::quiet_NaN()), "null");
  std::mt19937_64 random(TestSeed(66));
  for (int run = 0; run < 100'000; ++run) {
    const auto value = std::bit_cast<double>(random());
    if (value != value || value - value != 0) continue;
    ASSERT_EQ(std::strtod(JsonNumber(value).c_str(), nullptr), value);
  }
}

}  // namespace
}  // namespace recall
