#pragma once

#include <string>

#include "cli/show/terminal/terminal.h"
#include "query/types/grep_types.h"

namespace recall {

// Returns: the lines of a document as grep prints them: "path:line:text" for a match,
// "path-line-text" for a line around it, each printed once, and "--" between lines that are not
// neighbours where there is context. Matches are coloured.
std::string FormatGrepLines(const GrepDocument& document, const TextStyle& style);

}  // namespace recall
