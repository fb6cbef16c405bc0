#pragma once

#include <optional>
#include <string_view>

#include "storage/base/clock.h"

namespace recall {

// Which way a length of time without a sign, such as "7d", is counted from now.
enum class TimeDirection : uint8_t { kPast, kFuture };

// Reads a time as filters do (docs/rql.md, "Dates"): RFC 3339, "2026-02-04", "2026-02", "now",
// "today", "yesterday", "-7d", "+36h"; and "7d". Nothing for any other text, or for a time beyond
// the range of UnixNanos.
std::optional<UnixNanos> ReadTime(std::string_view text, UnixNanos now, TimeDirection direction);

}  // namespace recall
