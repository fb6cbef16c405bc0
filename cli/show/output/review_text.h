#pragma once

// What people read of reviews, on a line and in the terminal view.

#include <optional>
#include <string>
#include <string_view>

#include "query/types/note_types.h"

namespace recall {

inline constexpr std::string_view kRatingScale = "0 forgotten .. 3 with effort .. 5 at once";

// "2026-01-31"; "never" if unset.
std::string DayOf(const std::optional<UnixNanos>& time);
// "reviewed notes/a.md; next on 2026-01-31, in 6 days, easiness 2.50"
std::string ReviewedText(const ReviewReport& report);

}  // namespace recall
