#include "storage/base/duration.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "storage/base/from_chars.h"

namespace recall {
namespace {

constexpr double kSecondsOfDay = 86'400;

struct DurationUnit {
  std::string_view letters;
  std::string_view name;  // in the singular
  double seconds;
};

constexpr DurationUnit kDurationUnits[] = {
    {"s", "second", 1},
    {"m", "minute", 60},
    {"h", "hour", 3600},
    {"d", "day", kSecondsOfDay},
    {"w", "week", 7 * kSecondsOfDay},
    {"mo", "month", 30 * kSecondsOfDay},
    {"y", "year", 365 * kSecondsOfDay},
};

}  // namespace

std::optional<double> ParseDurationSeconds(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = FromChars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(number) || std::signbit(number)) return std::nullopt;
  std::string_view unit(stop, static_cast<size_t>(end - stop));
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  const auto* const found = std::ranges::find_if(kDurationUnits, [&](const DurationUnit& known) {
    const bool is_plural = unit.ends_with('s') && unit.substr(0, unit.size() - 1) == known.name;
    return unit == known.letters || unit == known.name || is_plural;
  });
  if (found == std::end(kDurationUnits)) return std::nullopt;
  return number * found->seconds;
}

}  // namespace recall
