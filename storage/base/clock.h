#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recall {

// Nanoseconds since 1970-01-01T00:00:00Z.
using UnixNanos = int64_t;

UnixNanos WallClockNanos();

// Monotonic time for measuring durations, in microseconds since an arbitrary start.
int64_t SteadyMicros();
// Progress is shown at most this often.
inline constexpr int64_t kProgressMicros = 100'000;

// Formats RFC 3339 in UTC with as many fraction digits as needed (0 to 9):
// "2026-02-04T09:30:00.5Z".
std::string FormatRfc3339(UnixNanos time);

// Accepts any RFC 3339 date-time with offset ("Z", "+08:00"). Returns nothing if `text` is not one,
// or is outside 1677..2262, the range of UnixNanos.
std::optional<UnixNanos> ParseRfc3339(std::string_view text);

// Whether `text` is a date-time that ParseRfc3339 refuses only because it is outside the range.
bool IsTimeBeyondRange(std::string_view text);
// The range, for messages.
inline constexpr std::string_view kTimeRange = "1677-09-22 to 2262-04-11";

// The first instant, in UTC, of an RFC 3339 date such as "2026-02-04". Returns nothing as above.
std::optional<UnixNanos> ParseRfc3339Date(std::string_view text);

}  // namespace recall
