#include "storage/base/clock.h"

#include <chrono>
#include <cstdio>

#include "storage/base/checked_math.h"

namespace recall {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int64_t kSecondsPerDay = 86'400;

// Reads exactly `digits` decimal digits at `position`, or returns -1.
int ReadDigits(std::string_view text, size_t position, size_t digits) {
  if (position + digits > text.size()) return -1;
  int value = 0;
  for (size_t i = position; i < position + digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

// Offset from UTC in seconds of "Z", "z" or "+hh:mm" filling all of `text`.
std::optional<int64_t> ReadOffset(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
  const int hours = ReadDigits(text, 1, 2);
  const int minutes = ReadDigits(text, 4, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  const int64_t seconds = hours * 3600 + minutes * 60;
  return text[0] == '-' ? -seconds : seconds;
}

// The date at the start of `text`, or nothing.
std::optional<std::chrono::sys_days> ReadDate(std::string_view text) {
  const int year = ReadDigits(text, 0, 4);
  const int month = ReadDigits(text, 5, 2);
  const int day = ReadDigits(text, 8, 2);
  if (year < 0 || month < 0 || day < 0 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month(unsigned(month)),
                                         std::chrono::day(unsigned(day))};
  return date.ok() ? std::optional(std::chrono::sys_days(date)) : std::nullopt;
}

}  // namespace

UnixNanos WallClockNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

int64_t SteadyMicros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string FormatRfc3339(UnixNanos time) {
  int64_t seconds = time / kNanosPerSecond;
  int64_t nanos = time % kNanosPerSecond;
  if (nanos < 0) {
    nanos += kNanosPerSecond;
    --seconds;
  }
  int64_t days = seconds / kSecondsPerDay;
  int64_t second_of_day = seconds % kSecondsPerDay;
  if (second_of_day < 0) {
    second_of_day += kSecondsPerDay;
    --days;
  }
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), "%04d-%02u-%02uT%02d:%02d:%02d", int(date.year()),
                unsigned(date.month()), unsigned(date.day()), int(second_of_day / 3600),
                int(second_of_day / 60 % 60), int(second_of_day % 60));
  std::string text = buffer;
  if (nanos != 0) {
    std::snprintf(buffer, sizeof(buffer), ".%09d", int(nanos));
    text += buffer;
    while (text.back() == '0') text.pop_back();
  }
  return text + "Z";
}

std::optional<UnixNanos> ParseRfc3339(std::string_view text) {
  const auto date = ReadDate(text);
  const int hour = ReadDigits(text, 11, 2);
  const int minute = ReadDigits(text, 14, 2);
  const int second = ReadDigits(text, 17, 2);
  if (!date || hour < 0 || minute < 0 || second < 0) return std::nullopt;
  if (text[13] != ':' || text[16] != ':') return std::nullopt;
  if (text[10] != 'T' && text[10] != 't' && text[10] != ' ') return std::nullopt;
  // Second 60 is a leap second; it counts as the first second of the next minute.
  if (hour > 23 || minute > 59 || second > 60) return std::nullopt;

  size_t position = 19;
  int64_t nanos = 0;
  if (position < text.size() && text[position] == '.') {
    ++position;
    const size_t first = position;
    int64_t scale = kNanosPerSecond / 10;
    for (; position < text.size() && text[position] >= '0' && text[position] <= '9'; ++position) {
      nanos += scale * (text[position] - '0');
      scale /= 10;
    }
    if (position == first) return std::nullopt;
  }
  const auto offset = ReadOffset(text.substr(position));
  if (!offset) return std::nullopt;

  const int64_t days = date->time_since_epoch().count();
  const int64_t seconds = days * kSecondsPerDay + hour * 3600 + minute * 60 + second - *offset;
  int64_t result = 0;
  if (!CheckedMultiply(seconds, kNanosPerSecond, &result)) return std::nullopt;
  if (!CheckedAdd(result, nanos, &result)) return std::nullopt;
  return result;
}

bool IsTimeBeyondRange(std::string_view text) {
  const int year = ReadDigits(text, 0, 4);
  const bool may_be_beyond = year >= 0 && (year < 1678 || year > 2261);
  if (!may_be_beyond || ParseRfc3339(text)) return false;
  // The same time in a leap year within the range.
  return ParseRfc3339("2000" + std::string(text.substr(4))).has_value();
}

std::optional<UnixNanos> ParseRfc3339Date(std::string_view text) {
  const auto date = ReadDate(text);
  if (!date || text.size() != 10) return std::nullopt;
  int64_t result = 0;
  const int64_t days = date->time_since_epoch().count();
  if (!CheckedMultiply(days, kSecondsPerDay * kNanosPerSecond, &result)) return std::nullopt;
  return result;
}

}  // namespace recall
