#pragma once

#include <optional>
#include <string_view>

#include "storage/base/clock.h"

namespace recall {

// A date in a filter on doc.mtime (docs/rql.md, "Dates"). Metadata accepts only whole dates and
// date-times (ReadInstant).
struct DateLiteral {
  UnixNanos instant = 0;
  bool is_relative = false;   // relative to now
  bool is_whole_day = false;  // a day or month; `instant` is its first instant
};

// Reads RFC 3339, "2026-02-04", "2026-02", "now", "today", "yesterday", "-7d", "+36h", "-3mo";
// nothing for any other text or a date outside the range of UnixNanos.
std::optional<DateLiteral> ReadDateLiteral(std::string_view text, UnixNanos now);

}  // namespace recall
