#pragma once

#include <string>

#include "cli/show/terminal/terminal.h"
#include "query/types/row_views.h"

namespace recall {

// Returns: the lines of a snippet that are not blank, indented, with the highlights in bold if
// colours are printed. On a terminal, lines are wrapped between words.
std::string FormatSnippet(const Snippet& snippet, const TextStyle& style);

}  // namespace recall
