#pragma once

#include <cstdint>

#include "query/types/note_types.h"

namespace recall {

// When a document is reviewed next.
struct ReviewState {
  int64_t repetitions = 0;    // successful reviews in a row
  int64_t interval_days = 0;  // 0: it was never reviewed
  int64_t easiness = 250;     // in hundredths, at least kLeastEasiness
};

inline constexpr int64_t kLeastEasiness = 130;
inline constexpr int64_t kMostEasiness = 1000;
inline constexpr int64_t kLongestIntervalDays = 36'500;

// The state after a review of this quality, 0 (forgotten) to 5 (perfect). With both algorithms
//   easiness' = max(1.3, easiness + .1 - (5 - q) (.08 + .02 (5 - q)))
// SM-2 (P. A. Wozniak, 1990): below 3 the interval is 1 day and the repetitions begin again; else
// it is 1, 6, and then ceil(interval easiness') days. Geometric, the rule of an older memory
// program (docs/notes.md): below 3 it is 1 day; else floor(interval (2.5 + .1 (q - 3))), from an
// interval of 1 on. Easiness is kept in hundredths, so intervals are computed with integers.
ReviewState AfterReview(const ReviewState& before, int64_t quality, ReviewAlgorithm algorithm);

}  // namespace recall
