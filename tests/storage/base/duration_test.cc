#include "storage/base/duration.h"

#include <gtest/gtest.h>

#include <string>

namespace recall {
namespace {

TEST(DurationTest, ANumberAndAUnit) {
  const std::pair<std::string, double> kTexts[] = {{"90s", 90},
                                                   {"30m", 1800},
                                                   {"36h", 129'600},
                                                   {"7d", 604'800},
                                                   {"2w", 1'209'600},
                                                   {"6mo", 15'552'000},
                                                   {"1y", 31'536'000},
                                                   {"6 months", 15'552'000},
                                                   {"90 days", 7'776'000},
                                                   {"1 day", 86'400},
                                                   {"1.5h", 5400},
                                                   {"0s", 0},
                                                   {"2 minutes", 120},
                                                   {"3 weeks", 1'814'400},
                                                   {"1 hour", 3600},
                                                   {"5 seconds", 5}};
  for (const auto& [text, seconds] : kTexts) EXPECT_EQ(ParseDurationSeconds(text), seconds) << text;
}

TEST(DurationTest, OtherTextsAreNone) {
  for (const std::string text : {"", "7", "d", "-7d", "-0d", "+7d", "7x", "7  d", "7d ", "7ds",
                                 "7mos", "inf d", "nan d", "1e3d", "days", "7 d 3 h", "7D"}) {
    EXPECT_FALSE(ParseDurationSeconds(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace recall
