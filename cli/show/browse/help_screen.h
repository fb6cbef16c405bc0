#pragma once

// One page with all keys of all screens. It begins at those of the screen that it hides.

#include "cli/show/browse/screen_rows.h"

namespace recall {

enum class HelpOf { kResults, kPlaces, kLinks, kReviews };

// `prints`: what Enter does with a hit. `view`: how far the page was moved.
Screen DrawHelp(HelpOf screen, bool prints, const ListView& view, const WindowSize& size);

}  // namespace recall
