#include "index/source/note/consolidation.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "index/base/math/natural_exp.h"
#include "index/base/math/natural_log.h"

namespace recall {
namespace {

// e^(-20,000 / 30) is 0 for all purposes, and within the domain of NaturalExp.
constexpr int64_t kMostDays = 20'000;

double Freshness(int64_t days) { return NaturalExp(-static_cast<double>(days) / 30); }

double Frequency(int64_t uses) {
  return std::min(1.0, NaturalLog(static_cast<double>(uses) + 1) / 5);
}

// A list computes it for every note, and nearly all have one of these numbers of days and uses.
template <size_t kSize>
std::array<double, kSize> TableOf(double (*function)(int64_t)) {
  std::array<double, kSize> values;
  for (size_t i = 0; i < kSize; ++i) values[i] = function(static_cast<int64_t>(i));
  return values;
}

template <size_t kSize>
double LookUp(const std::array<double, kSize>& table, double (*function)(int64_t), int64_t at) {
  return at < static_cast<int64_t>(kSize) ? table[static_cast<size_t>(at)] : function(at);
}

}  // namespace

std::optional<double> Consolidation(int64_t uses, std::optional<UnixNanos> used_at,
                                    std::optional<UnixNanos> created, UnixNanos as_of) {
  constexpr UnixNanos kNanosPerSecond = 1'000'000'000;
  constexpr int64_t kSecondsPerDay = 86'400;
  const std::optional<UnixNanos> since = used_at ? used_at : created;
  if (!since) return std::nullopt;
  // In seconds, because the difference of two times may overflow. Rounded down, as times are.
  const auto seconds = [](UnixNanos time) {
    return time / kNanosPerSecond - (time % kNanosPerSecond < 0 ? 1 : 0);
  };
  const int64_t elapsed = seconds(as_of) - seconds(*since);
  const int64_t days = std::clamp<int64_t>(elapsed / kSecondsPerDay, 0, kMostDays);
  static const auto frequencies = TableOf<256>(Frequency);
  static const auto freshness = TableOf<1024>(Freshness);
  return 0.6 * LookUp(frequencies, Frequency, std::max<int64_t>(uses, 0)) +
         0.4 * LookUp(freshness, Freshness, days);
}

}  // namespace recall
