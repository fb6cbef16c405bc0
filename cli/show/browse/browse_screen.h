#pragma once

// What `recall browse` shows, as rows of painted text. A pure function of the state, so that tests
// compare whole screens.

#include "cli/show/browse/browse_state.h"
#include "cli/show/browse/screen_rows.h"
#include "cli/show/terminal/terminal.h"

namespace recall {

// `style` tells how paths are named and whether block characters can be shown.
Screen Draw(const BrowseState& state, const WindowSize& size, const TextStyle& style);

}  // namespace recall
