#include "index/search/filter/date_literal.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string>

#include "storage/base/checked_math.h"
#include "storage/metadata/metadata_values.h"

namespace recall {
namespace {

// Dates in filters on doc.mtime are absolute or relative to the time of the query, in UTC:
//
//   2026-02-04T09:30:00+01:00   RFC 3339: an instant
//   2026-02-04   2026-02        a day or month: its first instant
//   now  today  yesterday       today is the start of the day in UTC
//   -7d  +36h  -90m  -2w        a distance of a fixed length
//   -3mo  +1y                   a distance in calendar months
//
// Fixed units are added as nanoseconds. Months are added to the calendar date with the time of day
// kept; if the month has no such day, its last day is used (31 March - 1mo = 28 or 29 February). A
// year is twelve months.
//
// Invariant: a result outside the range of UnixNanos (years 1677 to 2262) is no date. All
// arithmetic is checked for overflow, and counts of months and years are limited before they reach
// the calendar.
//
// Relative dates make an answer depend on the clock; `is_relative` reports that, so that the answer
// can state the time it refers to. A whole day compared with `=` matches only its first instant;
// `is_whole_day` lets the compiler of predicates warn about it.

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kDay = 86'400 * kSecond;

UnixNanos StartOfDay(UnixNanos time) {
  const int64_t within = time % kDay;
  return time - (within < 0 ? within + kDay : within);
}

// Moves `now` by calendar months; a day that the month does not have becomes its last day.
std::optional<UnixNanos> AddMonths(UnixNanos now, int64_t count) {
  using namespace std::chrono;
  const UnixNanos start = StartOfDay(now);
  const year_month_day today(sys_days(days(start / kDay)));
  constexpr int64_t kMostMonths = 12 * 600;  // the range of UnixNanos is smaller
  if (count < -kMostMonths || count > kMostMonths) return std::nullopt;
  const year_month month = year_month(today.year(), today.month()) + months(count);
  const day last = (month / std::chrono::last).day();
  const sys_days moved(month / std::min(today.day(), last));
  int64_t nanos = 0;
  if (!CheckedMultiply<int64_t>(moved.time_since_epoch().count(), kDay, &nanos)) {
    return std::nullopt;
  }
  int64_t result = 0;
  if (!CheckedAdd<int64_t>(nanos, now - start, &result)) return std::nullopt;
  return result;
}

std::optional<UnixNanos> AddUnits(UnixNanos now, int64_t count, int64_t unit) {
  int64_t distance = 0;
  int64_t result = 0;
  if (!CheckedMultiply(count, unit, &distance) || !CheckedAdd(now, distance, &result)) {
    return std::nullopt;
  }
  return result;
}

// "-7d", "+3mo".
std::optional<UnixNanos> ReadDistance(std::string_view text, UnixNanos now) {
  if (text.size() < 3 || (text[0] != '-' && text[0] != '+')) return std::nullopt;
  int64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [unit_begin, error] = std::from_chars(text.data() + 1, end, count);
  if (error != std::errc() || unit_begin == text.data() + 1 || count < 0) return std::nullopt;
  if (text[0] == '-') count = -count;
  const std::string_view unit(unit_begin, static_cast<size_t>(end - unit_begin));
  if (unit == "m") return AddUnits(now, count, 60 * kSecond);
  if (unit == "h") return AddUnits(now, count, 3600 * kSecond);
  if (unit == "d") return AddUnits(now, count, kDay);
  if (unit == "w") return AddUnits(now, count, 7 * kDay);
  if (unit == "mo") return AddMonths(now, count);
  if (unit == "y" && count >= -600 && count <= 600) return AddMonths(now, 12 * count);
  return std::nullopt;
}

}  // namespace

std::optional<DateLiteral> ReadDateLiteral(std::string_view text, UnixNanos now) {
  if (text == "now") return DateLiteral{now, true, false};
  if (text == "today") return DateLiteral{StartOfDay(now), true, false};
  if (text == "yesterday") {
    const auto day = AddUnits(StartOfDay(now), -1, kDay);
    if (!day) return std::nullopt;
    return DateLiteral{*day, true, false};
  }
  if (const auto moved = ReadDistance(text, now)) return DateLiteral{*moved, true, false};
  constexpr size_t kMonthSize = 7;  // 2026-02
  constexpr size_t kDateSize = 10;
  const std::string date(text.size() == kMonthSize ? std::string(text) + "-01" : std::string(text));
  if (const auto instant = ReadInstant(date)) {
    return DateLiteral{*instant, false, date.size() == kDateSize};
  }
  return std::nullopt;
}

}  // namespace recall
