#pragma once

#include "cli/show/browse/review_state.h"
#include "cli/show/browse/screen_rows.h"

namespace recall {

// The screen of reviews: which document, its title, its text once it was asked for, and the keys.
Screen DrawReview(const ReviewRound& round, const WindowSize& size, const TextStyle& style);

}  // namespace recall
