#include "query/rql/time_text.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

std::string Read(std::string_view text, TimeDirection direction = TimeDirection::kPast) {
  const UnixNanos now = *ParseRfc3339("2026-02-04T09:30:00Z");
  const auto time = ReadTime(text, now, direction);
  return time ? FormatRfc3339(*time) : "none";
}

TEST(TimeTextTest, TimesAreReadAsInFilters) {
  EXPECT_EQ(Read("2026-01-31T08:00:00+01:00"), "2026-01-31T07:00:00Z");
  EXPECT_EQ(Read("2026-01-31"), "2026-01-31T00:00:00Z");
  EXPECT_EQ(Read("2025-11"), "2025-11-01T00:00:00Z");
  EXPECT_EQ(Read("now"), "2026-02-04T09:30:00Z");
  EXPECT_EQ(Read("yesterday"), "2026-02-03T00:00:00Z");
  EXPECT_EQ(Read("-7d"), "2026-01-28T09:30:00Z");
  EXPECT_EQ(Read("+1d"), "2026-02-05T09:30:00Z");
}

TEST(TimeTextTest, ALengthWithoutASignHasADirection) {
  EXPECT_EQ(Read("7d"), "2026-01-28T09:30:00Z");
  EXPECT_EQ(Read("36h"), "2026-02-02T21:30:00Z");
  EXPECT_EQ(Read("1mo", TimeDirection::kFuture), "2026-03-04T09:30:00Z");
  EXPECT_EQ(Read("-7d", TimeDirection::kFuture), "2026-01-28T09:30:00Z");
}

TEST(TimeTextTest, AnythingElseIsNone) {
  for (const char* text : {"", "7", "d", "-", "--7d", "+-7d", "7 d", "soon", "2026-13",
                           "2026-02-31", "99999999999999999999d", "1now", "9999-01-01"}) {
    EXPECT_EQ(Read(text), "none") << text;
  }
}

}  // namespace
}  // namespace recall
