#include "index/source/extract/markdown/number_format.h"

#include <gtest/gtest.h>

#include <limits>

#include "storage/base/split_mix.h"

namespace recall {
namespace {

std::string Shown(std::string_view code, double value) { return NumberFormat(code).Text(value); }

TEST(NumberFormatTest, PlainNumbersHaveFifteenDigits) {
  EXPECT_EQ(PlainNumber(0), "0");
  EXPECT_EQ(PlainNumber(-0.0), "0");
  EXPECT_EQ(PlainNumber(0.1 + 0.2), "0.3");
  EXPECT_EQ(PlainNumber(-1234567.25), "-1234567.25");
  EXPECT_EQ(PlainNumber(1e20), "1E+20");
  EXPECT_EQ(PlainNumber(1.5e-10), "1.5E-10");
  EXPECT_EQ(PlainNumber(0.000123), "0.000123");
  EXPECT_EQ(PlainNumber(123456789012345), "123456789012345");
  EXPECT_EQ(PlainNumber(std::numeric_limits<double>::infinity()), "");
}

TEST(NumberFormatTest, NumbersAreShownAsSpreadsheetsDo) {
  EXPECT_EQ(Shown("General", 12.5), "12.5");
  EXPECT_EQ(Shown("0", 12.5), "13");
  EXPECT_EQ(Shown("0.00", 1.005), "1.01");
  EXPECT_EQ(Shown("0.00", -0.001), "0.00");
  EXPECT_EQ(Shown("#,##0", 1234567.8), "1,234,568");
  EXPECT_EQ(Shown("#,##0.00", -1234.5), "-1,234.50");
  EXPECT_EQ(Shown("0.0%", 0.1234), "12.3%");
  EXPECT_EQ(Shown("0%", 1), "100%");
  EXPECT_EQ(Shown("#.##", 0.5), ".5");
  EXPECT_EQ(Shown("00000", 42), "00042");
  EXPECT_EQ(Shown("0.0,,\" M\"", 12'345'678), "12.3 M");
  EXPECT_EQ(Shown("#,##0\\ \"EUR\"", 5000), "5,000 EUR");
  EXPECT_EQ(Shown("[$€-407]#,##0.00", 3), "€3.00");
  EXPECT_EQ(Shown("#,##0.00;[Red](#,##0.00);\"none\"0", -3), "(3.00)");
  EXPECT_EQ(Shown("0;-0;\"zero\"", 0), "0");
  EXPECT_EQ(Shown(";;;", 7), "7");
  EXPECT_EQ(Shown("", 7), "7");
  EXPECT_EQ(Shown("@", 7), "7");
}

TEST(NumberFormatTest, WhatASearchDoesNotNeedIsAPlainNumber) {
  EXPECT_EQ(Shown("0.00E+00", 12345), "12345");
  EXPECT_EQ(Shown("# ?/?", 0.5), "0.5");
  EXPECT_EQ(Shown("[>=1000]0.0,\"K\";0", 500), "500");
  EXPECT_EQ(Shown("000-0000", 5551234), "5551234");
  EXPECT_EQ(Shown("#,##0", 1e15), "1E+15");
}

TEST(NumberFormatTest, DatesAndTimesAreIso8601) {
  EXPECT_EQ(Shown("yyyy-mm-dd", 45356), "2024-03-05");
  EXPECT_EQ(Shown("dd.mm.yyyy hh:mm", 45356.6041666667), "2024-03-05 14:30");
  EXPECT_EQ(Shown("d mmmm yyyy", 45356), "2024-03-05");
  EXPECT_EQ(Shown("mmm-yy", 45356), "2024-03-05");
  EXPECT_EQ(Shown("[$-409]d\\-mmm\\-yyyy;@", 45356), "2024-03-05");
  EXPECT_EQ(Shown("m/d/yy", 1), "1900-01-01");
  EXPECT_EQ(Shown("m/d/yy", 61), "1900-03-01");
  EXPECT_EQ(Shown("h:mm AM/PM", 0.75), "18:00");
  EXPECT_EQ(Shown("h:mm AM/PM", 0), "00:00");
  EXPECT_EQ(Shown("[h]:mm:ss", 1.5), "36:00:00");
  EXPECT_EQ(Shown("[h]:mm", 1.5), "36:00");
  EXPECT_EQ(Shown("mm:ss.0", 0.0625), "01:30:00");
  EXPECT_EQ(Shown("yyyy", -1), "-1");
  EXPECT_EQ(Shown("yyyy", 1e9), "1000000000");
  EXPECT_EQ(Shown(NumberFormat::BuiltIn(14), 45356), "2024-03-05");
  EXPECT_EQ(Shown(NumberFormat::BuiltIn(46), 1.5), "36:00:00");
  EXPECT_EQ(Shown(NumberFormat::BuiltIn(44), -5), "-$5.00");
  EXPECT_EQ(Shown(NumberFormat::BuiltIn(59), -5), "-5");
  EXPECT_EQ(NumberFormat("yyyy-mm-dd").Text(0, true), "1904-01-01");
}

TEST(NumberFormatTest, AnyCodeIsAFormat) {
  SplitMix64 random(20261127);
  constexpr std::string_view kLetters = "0#?.,%E+-;\"\\[]$_*ymdhsAP/@ Gge\xc3";
  constexpr double kValues[] = {0, -1.5, 45356.75, 1e300, -1e-300, 5e-324, 1e15, 999999.9999999};
  for (int i = 0; i < 30'000; ++i) {
    std::string code;
    for (uint64_t size = random.Next() % 12; size > 0; --size) {
      code += kLetters[random.Next() % kLetters.size()];
    }
    const NumberFormat format(code);
    for (const double value : kValues) EXPECT_LT(format.Text(value).size(), 3000u) << code;
  }
}

}  // namespace
}  // namespace recall
