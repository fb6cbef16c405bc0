#pragma once

#include <optional>
#include <string_view>

#include "storage/base/clock.h"

namespace recall {

// A point in time as filters write it for doc.mtime (docs/rql.md, "Dates"); metadata takes whole
// dates and date-times only (ReadInstant).
struct DateLiteral {
  UnixNanos instant = 0;
  bool is_relative = false;   // counted from now
  bool is_whole_day = false;  // a day or month, which stands for its first instant
};

// RFC 3339, "2026-02-04", "2026-02", "now", "today", "yesterday", "-7d", "+36h", "-3mo"; nothing
// for any other text and for what lies outside UnixNanos.
std::optional<DateLiteral> ReadDateLiteral(std::string_view text, UnixNanos now);

}  // namespace recall
