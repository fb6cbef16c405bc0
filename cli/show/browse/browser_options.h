#pragma once

// What the terminal view is begun with.

#include <optional>
#include <string>
#include <vector>

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
  SaveRequest saving;                   // of all notes, apart from what they say
  SearchWorker::Open open_for_writing;  // for reviews and notes
  std::string history_path;             // "": no history is kept
  std::string drafts_directory;         // of texts of notes that are not saved; "": there is none
};

}  // namespace recall
