#include "index/note/consolidation.h"

#include <algorithm>

#include "index/math/natural_exp.h"
#include "index/math/natural_log.h"

namespace recall {

std::optional<double> Consolidation(int64_t uses, std::optional<UnixNanos> used_at,
                                    std::optional<UnixNanos> created, UnixNanos as_of) {
  constexpr UnixNanos kNanosPerSecond = 1'000'000'000;
  constexpr int64_t kSecondsPerDay = 86'400;
  // e^(-20,000 / 30) is 0 for all purposes, and within the domain of NaturalExp.
  constexpr int64_t kMostDays = 20'000;
  const std::optional<UnixNanos> since = used_at ? used_at : created;
  if (!since) return std::nullopt;
  // In seconds, because the difference of two times may overflow. Rounded down, as times are.
  const auto seconds = [](UnixNanos time) {
    return time / kNanosPerSecond - (time % kNanosPerSecond < 0 ? 1 : 0);
  };
  const int64_t elapsed = seconds(as_of) - seconds(*since);
  const int64_t days = std::clamp<int64_t>(elapsed / kSecondsPerDay, 0, kMostDays);
  const double counted = static_cast<double>(std::max<int64_t>(uses, 0)) + 1;
  const double frequency = std::min(1.0, NaturalLog(counted) / 5);
  return 0.6 * frequency + 0.4 * NaturalExp(-static_cast<double>(days) / 30);
}

}  // namespace recall
