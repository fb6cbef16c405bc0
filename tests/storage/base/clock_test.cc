#include "storage/base/clock.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

TEST(ClockTest, FormatsAsManyFractionDigitsAsNeeded) {
  EXPECT_EQ(FormatRfc3339(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(FormatRfc3339(1'500'000'000), "1970-01-01T00:00:01.5Z");
  EXPECT_EQ(FormatRfc3339(-1), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(FormatRfc3339(1'770'197'400'000'000'000), "2026-02-04T09:30:00Z");
}

TEST(ClockTest, ReadsWhatItWrites) {
  for (const UnixNanos time : {UnixNanos{0}, UnixNanos{-1}, UnixNanos{1'770'197'400'123'456'789},
                               UnixNanos{-62'135'596}, INT64_MAX}) {
    EXPECT_EQ(ParseRfc3339(FormatRfc3339(time)), time) << FormatRfc3339(time);
  }
}

TEST(ClockTest, OffsetsNameTheSameInstant) {
  EXPECT_EQ(ParseRfc3339("2026-02-04T17:30:00+08:00"), ParseRfc3339("2026-02-04T09:30:00Z"));
  EXPECT_EQ(ParseRfc3339("2026-02-04t09:30:00.50z"), ParseRfc3339("2026-02-04T09:30:00.5Z"));
}

TEST(ClockTest, RefusesWhatIsNotADateTime) {
  for (const char* text :
       {"", "2026", "2026-02-30T00:00:00Z", "2026-02-04T09:30:00", "2026-02-04T09:30:00.Z",
        "2026-02-04T24:00:00Z", "2026-02-04T09:30:00+8", "2026-02-04T09:30:00Z ",
        "9999-01-01T00:00:00Z", "0001-01-01T00:00:00Z"}) {
    EXPECT_EQ(ParseRfc3339(text), std::nullopt) << text;
  }
}

TEST(ClockTest, TimesBeyondTheRangeAreTold) {
  for (const char* text : {"9999-12-31T00:00:00Z", "0001-01-01T00:00:00Z", "2262-04-12T00:00:00Z",
                           "1677-09-21T00:00:00Z", "2400-02-29T12:00:00.5+08:00"}) {
    EXPECT_TRUE(IsTimeBeyondRange(text)) << text;
  }
  for (const char* text : {"", "9999", "99x9-12-31T00:00:00Z", "9999-13-01T00:00:00Z", "9999-12-31",
                           "2026-02-30T00:00:00Z", "2026-02-04T09:30:00Z", "2262-04-11T00:00:00Z",
                           "1677-09-22T00:00:00Z"}) {
    EXPECT_FALSE(IsTimeBeyondRange(text)) << text;
  }
}

TEST(ClockTest, ADateIsItsFirstInstant) {
  EXPECT_EQ(ParseRfc3339Date("2026-02-04"), ParseRfc3339("2026-02-04T00:00:00Z"));
  EXPECT_EQ(ParseRfc3339Date("1969-12-31"), -86'400'000'000'000);
  EXPECT_EQ(ParseRfc3339Date("2024-02-29"), ParseRfc3339("2024-02-29T00:00:00Z"));
  for (const char* text :
       {"", "2026", "2026-02", "2026-2-4", "2026-02-30", "2025-02-29", "2026-02-04T", "2026-02-04 ",
        "2026/02/04", "9999-12-31", "0001-01-01"}) {
    EXPECT_EQ(ParseRfc3339Date(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace recall
