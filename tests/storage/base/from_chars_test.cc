#include "storage/base/from_chars.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>

#include "storage/base/split_mix.h"

namespace recall {
namespace {

struct ReadNumber {
  std::string_view read;
  std::errc error;
  uint64_t bits;  // of the number; it was 7 before

  bool operator==(const ReadNumber&) const = default;
};
std::ostream& operator<<(std::ostream& out, const ReadNumber& number) {
  return out << "'" << number.read << "' " << static_cast<int>(number.error) << " "
             << std::bit_cast<double>(number.bits);
}

ReadNumber ByStrtod(std::string_view text, std::chars_format format) {
  double value = 7;
  const auto [end, error] =
      internal::DoubleByStrtod(text.data(), text.data() + text.size(), value, format);
  return {{text.data(), end}, error, std::bit_cast<uint64_t>(value)};
}
ReadNumber ByFromChars(std::string_view text, std::chars_format format) {
  double value = 7;
  const auto [end, error] = FromChars(text.data(), text.data() + text.size(), value, format);
  return {{text.data(), end}, error, std::bit_cast<uint64_t>(value)};
}

// With libstdc++ these are two implementations.
TEST(FromCharsTest, TheOneByStrtodReadsWhatTheLibraryReads) {
  for (const auto format : {std::chars_format::general, std::chars_format::fixed}) {
    for (const std::string_view text : {"0",
                                        "-0",
                                        "1",
                                        "12.5",
                                        "-12.5e3",
                                        "1e",
                                        "1e+",
                                        "1e-2x",
                                        "1.",
                                        ".5",
                                        "-.5",
                                        ".",
                                        "-",
                                        "",
                                        "+1",
                                        " 1",
                                        "0x10",
                                        "1,5",
                                        "1..2",
                                        "inf",
                                        "-infinity",
                                        "nan",
                                        "in",
                                        "INF",
                                        "12abc",
                                        "e5",
                                        "007",
                                        "0.1",
                                        "123456789012345678901234567890",
                                        "9007199254740993",
                                        "4.9e-324",
                                        "2.2250738585072011e-308",
                                        "1.7976931348623157e308",
                                        "0e999",
                                        "0.000e-9999"}) {
      EXPECT_EQ(ByStrtod(text, format), ByFromChars(text, format)) << text;
    }
  }
}

TEST(FromCharsTest, NumbersBeyondTheRangeOfDoublesLeaveTheValueAlone) {
  for (const std::string_view text : {"1e400", "-1e400", "1e-400", "-0.0001e-500"}) {
    const ReadNumber read = ByStrtod(text, std::chars_format::general);
    EXPECT_EQ(read,
              (ReadNumber{text, std::errc::result_out_of_range, std::bit_cast<uint64_t>(7.0)}));
    const ReadNumber by_library = ByFromChars(text, std::chars_format::general);
    EXPECT_EQ(by_library.read, read.read);
    EXPECT_EQ(by_library.error, read.error);
  }
}

TEST(FromCharsTest, AnyDoubleThatIsPrintedIsReadBack) {
  SplitMix64 random(90);
  for (int i = 0; i < 20'000; ++i) {
    const double number = std::bit_cast<double>(random.Next());
    if (!std::isfinite(number)) continue;
    char text[64];
    const char* const end = std::to_chars(text, std::end(text), number).ptr;
    EXPECT_EQ(ByStrtod({text, end}, std::chars_format::general),
              (ReadNumber{{text, end}, std::errc(), std::bit_cast<uint64_t>(number)}));
  }
}

TEST(FromCharsTest, WholeNumbersAreThoseOfTheLibrary) {
  const std::string_view text = "42x";
  int64_t whole = 0;
  const auto read = FromChars(text.data(), text.data() + text.size(), whole);
  EXPECT_EQ(read.ptr, text.data() + 2);
  EXPECT_EQ(whole, 42);
}

}  // namespace
}  // namespace recall
