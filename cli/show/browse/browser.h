#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/show/browse/browse_state.h"
#include "cli/show/browse/search_worker.h"
#include "cli/show/browse/terminal_screen.h"
#include "cli/show/terminal/terminal.h"
#include "query/types/note_types.h"

namespace recall {

struct BrowserOptions {
  TerminalScreen::Options terminal;
  TextStyle style;                    // how paths are named
  std::string store_directory;        // absolute; where the files of documents are
  SearchWorker::Open open;            // opens the store for searching
  std::vector<SearchPreset> presets;  // of state.views
  std::string snapshot;               // as in Scope, of all that is shown
  std::optional<UnixNanos> as_of;
  Database* documents = nullptr;        // for reading documents, on the calling thread
  ReviewRequest rating;                 // of all ratings, apart from target and quality
  SearchWorker::Open open_for_writing;  // for recording reviews
  std::string history_path;             // "": no history is kept
};

struct BrowserEnd {
  std::optional<SearchHit> cited;  // the hit whose citation is to be printed
  bool interrupted = false;        // by a signal, or the terminal is gone
  Status history;                  // whether the history could be written
};

// Shows the terminal view from `state` on until the user leaves it. Errors: those of
// TerminalScreen::Open and SearchWorker::Start.
Result<BrowserEnd> Browse(BrowseState state, const BrowserOptions& options);

}  // namespace recall
