#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recall {

// Nanoseconds since 1970-01-01T00:00:00Z.
using UnixNanos = int64_t;

UnixNanos WallClockNanos();

// Steady time for measuring durations, in microseconds since an arbitrary start.
int64_t SteadyMicros();
// Progress is shown at most this often.
inline constexpr int64_t kProgressMicros = 100'000;

// "2026-02-04T09:30:00.5Z": RFC 3339 in UTC, as many fraction digits as needed (0 to 9).
std::string FormatRfc3339(UnixNanos time);

// Accepts any RFC 3339 date-time with offset ("Z", "+08:00"); nothing when it is not one or lies
// outside 1677..2262, the range of UnixNanos.
std::optional<UnixNanos> ParseRfc3339(std::string_view text);

// The first instant, in UTC, of an RFC 3339 date, "2026-02-04"; nothing as above.
std::optional<UnixNanos> ParseRfc3339Date(std::string_view text);

}  // namespace recall
