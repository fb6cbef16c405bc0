#pragma once

#include <string>
#include <vector>

#include "cli/show/browse/browse_state.h"
#include "cli/show/browse/browser_options.h"

namespace recall {

struct BrowserEnd {
  std::vector<std::string> cited;  // citations that are to be printed, a line each
  bool interrupted = false;        // by a signal, or the terminal is gone
  Status history;                  // whether the history could be written
};

// Shows the terminal view from `state` on until the user leaves it. Errors: those of
// TerminalScreen::Open and SearchWorker::Start.
Result<BrowserEnd> Browse(BrowseState state, const BrowserOptions& options);

}  // namespace recall
