#include "index/filter/date_literal.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string>

#include "storage/base/checked_math.h"
#include "storage/metadata/metadata_values.h"

namespace recall {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kDay = 86'400 * kSecond;

UnixNanos StartOfDay(UnixNanos time) {
  const int64_t within = time % kDay;
  return time - (within < 0 ? within + kDay : within);
}

// `now` moved by calendar months; a day that the month does not have is its last.
std::optional<UnixNanos> AddMonths(UnixNanos now, int64_t count) {
  using namespace std::chrono;
  const UnixNanos start = StartOfDay(now);
  const year_month_day today(sys_days(days(start / kDay)));
  constexpr int64_t kMostMonths = 12 * 600;  // UnixNanos holds fewer years than that
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
