#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "storage/base/status.h"

namespace recall {

// The file of questions that were asked, one a line, the newest last.

inline constexpr size_t kMostQuestions = 1000;

// $XDG_STATE_HOME/recall/history, else ~/.local/state/recall/history; "" without a home.
std::string HistoryPath();

// Returns: the newest questions in the file; none if it cannot be read.
std::vector<std::string> ReadHistory(const std::string& path);

// Makes the question the newest of the file, and keeps at most kMostQuestions, each once. The file
// and its directories are made if necessary, readable by their owner alone. Errors: IoError.
Status AddToHistory(const std::string& path, std::string_view question);

}  // namespace recall
