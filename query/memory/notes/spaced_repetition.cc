#include "query/memory/notes/spaced_repetition.h"

#include <algorithm>

namespace recall {
namespace {

constexpr int64_t kLeastSuccess = 3;
constexpr int64_t kBestQuality = 5;

int64_t NextEasiness(int64_t easiness, int64_t quality) {
  const int64_t lack = kBestQuality - quality;
  return std::clamp(easiness + 10 - lack * (8 + 2 * lack), kLeastEasiness, kMostEasiness);
}

int64_t CeilDivide(int64_t value, int64_t by) { return (value + by - 1) / by; }

int64_t NextInterval(const ReviewState& before, int64_t easiness, int64_t quality,
                     ReviewAlgorithm algorithm) {
  if (quality < kLeastSuccess) return 1;
  if (algorithm == ReviewAlgorithm::kGeometric) {
    const int64_t factor = 25 + (quality - kLeastSuccess);  // in tenths
    return std::max<int64_t>(before.interval_days, 1) * factor / 10;
  }
  if (before.repetitions == 0) return 1;
  if (before.repetitions == 1) return 6;
  return CeilDivide(std::max<int64_t>(before.interval_days, 1) * easiness, 100);
}

}  // namespace

ReviewState AfterReview(const ReviewState& before, int64_t quality, ReviewAlgorithm algorithm) {
  ReviewState after;
  after.easiness = NextEasiness(before.easiness, quality);
  after.interval_days =
      std::min(NextInterval(before, after.easiness, quality, algorithm), kLongestIntervalDays);
  after.repetitions = quality < kLeastSuccess ? 0 : before.repetitions + 1;
  return after;
}

}  // namespace recall
